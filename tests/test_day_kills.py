"""Killed at random points of every write: what was acknowledged is there, and every file is whole."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kata import folders, progress
from kata.workspace import Workspace
from tests import day, tiny
from tests.day_writer import NAME

WRITER = Path(__file__).with_name("day_writer.py")
STUB = tiny.QUESTION.lstrip("\n")
NEWER = STUB.replace("Twice the input", "Two times the input")
CODE = "def double_and_shift(x, amount):\n    return 2 * x + amount\n"


def killed(kind: str, home: Workspace, root: Path, chance: random.Random) -> int:
    """Starts a writer, kills it a moment later, and returns what it had acknowledged."""
    order = [sys.executable, str(WRITER), kind, str(home.root), str(root)]
    writer = subprocess.Popen(order, env=day.environment(root), stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None and writer.stdout.readline() == "ready\n"
    told = [writer.stdout.readline() for _ in range(chance.randrange(1, 4))]
    time.sleep(chance.uniform(0.0, 0.01))
    writer.kill()
    told += writer.stdout.readlines()
    writer.stdout.close()
    writer.wait()
    return max(int(line) for line in told if line.endswith("\n"))


def record(home: Workspace, root: Path, done: int) -> None:
    """The number on the disk is the last one acknowledged, or the next."""
    assert day.entry(home, root).tries in (done, done + 1)


def hint(home: Workspace, root: Path, done: int) -> None:
    """Of three general hints, those acknowledged are recorded."""
    assert len(day.entry(home, root).hints) in (min(done, 3), min(done + 1, 3))


def reset(home: Workspace, root: Path, done: int) -> None:
    """Every answer that was ever written whole is somewhere, whole."""
    file = home.root / "problems" / NAME
    texts = {path.read_text() for path in (file, *folders.kept(file))}
    assert texts >= {f"# answer {i}\n" for i in range(1, done + 1)}
    assert texts <= {STUB, *(f"# answer {i}\n" for i in range(1, done + 3))}


def restore(home: Workspace, root: Path, done: int) -> None:
    """Back and forth between a stub and an answer: the answer is somewhere, whole."""
    file = home.root / "problems" / NAME
    texts = {path.read_text() for path in (file, *folders.kept(file))}
    assert "# first\n" in texts and texts <= {"# first\n", STUB}


def update(home: Workspace, root: Path, done: int) -> None:
    """The code is as it was, under one statement or the other."""
    file = home.root / "problems" / NAME
    heads = (STUB.split("import torch")[0], NEWER.split("import torch")[0])
    assert file.read_text() in [head + CODE for head in heads]


def init(home: Workspace, root: Path, done: int) -> None:
    """Workspaces acknowledged are complete; one begun is completed by asking once more, each file in it whole."""
    for i in range(1, done + 2):
        folder = home.root / str(i)
        if i <= done:
            assert (folder / ".kata" / "workspace.json").is_file()
        folders.init(folder, root)
        for stub in (root / "problems").glob("*.py"):
            assert (folder / "problems" / stub.name).read_bytes() == stub.read_bytes()


PREPARED = {
    "restore": "# first\n",
    "update": STUB.split("import torch")[0] + CODE,
}
CLAIMS = {claim.__name__: claim for claim in (record, hint, reset, restore, update, init)}


def tried(kind: str, kills: int, tmp: Path) -> None:
    """Kills writers of a kind, each in a workspace of its own, some writes after they began."""
    chance = random.Random(f"kills of {kind}")
    for i in range(kills):
        home, root = day.made(tmp / str(i))
        (root / "old.txt").write_text(STUB)
        (root / "new.txt").write_text(NEWER)
        (home.root / "problems" / NAME).write_text(PREPARED.get(kind, STUB))
        done = killed(kind, home, root, chance)
        CLAIMS[kind](home, root, done)
        progress.load(home)
        progress.change(home, day.problem(root), progress.seen)  # the lock is free, and the record can be written
        assert not [path.name for path in home.records.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("kind", CLAIMS)
def test_a_kill_loses_nothing(kind: str, tmp_path: Path) -> None:
    """Four kills of every kind of write."""
    tried(kind, 4, tmp_path)


@pytest.mark.by_hand
@pytest.mark.parametrize("kind", CLAIMS)
def test_two_hundred_kills_lose_nothing(kind: str, tmp_path: Path) -> None:
    """Two hundred kills of every kind of write."""
    tried(kind, 200, tmp_path)
