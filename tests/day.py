"""What the tests of the learner's day share: a track of two problems, a workspace, and the command as a program."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from kata import folders, progress, track
from kata.model import Problem, Report
from kata.progress import Entry
from kata.workspace import Workspace
from tests import tiny

KATA = [sys.executable, "-m", "kata"]
SLUG = "double_and_shift"
RIGHT = tiny.ANSWER.lstrip("\n")
MINUS = RIGHT.replace("2 * x + amount", "2 * x - amount")
HUNG = RIGHT.replace("    if amount < 0:", "    while True:\n        pass\n    if amount < 0:")


def two_problems(root: Path) -> Path:
    """A track whose second problem builds on the first."""
    tiny.write(root)
    texts = [
        text.replace(SLUG, "triple").replace("Double and shift", "Triple").replace("AFTER = (3,)", "AFTER = (7,)")
        for text in (tiny.QUESTION, tiny.ANSWER, tiny.GRADER)
    ]
    return tiny.write(root, "08_triple", *texts)


def made(tmp: Path) -> tuple[Workspace, Path]:
    """A workspace and its track."""
    root = two_problems(tmp / "track")
    return folders.init(tmp / "home", root)[0], root


def problem(root: Path) -> Problem:
    """The first problem."""
    return track.find(root, "7")


def entry(home: Workspace, root: Path) -> Entry:
    """What is recorded about the first problem."""
    return progress.entry(home, problem(root))


def environment(root: Path, **more: str) -> dict[str, str]:
    """An environment in which kata uses this track and a terminal of a known size."""
    source = str(Path(progress.__file__).parents[1])
    known = {
        "KATA_TRACK": str(root),
        "PYTHONPATH": source,
        "COLUMNS": "100",
        "LINES": "60",
        "TERM": "xterm-256color",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ} | known | more


def kata(*words: str, cwd: Path, root: Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """Runs the command and returns what it printed."""
    return subprocess.run(
        [*KATA, *words],
        cwd=cwd,
        env=environment(root),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **more,
    )


def told(*words: str, cwd: Path, root: Path) -> Any:
    """The JSON that the command printed."""
    return json.loads(kata(*words, "--json", cwd=cwd, root=root).stdout)


def report(engine: Any, root: Path, text: str, only: tuple[str, ...] = ()) -> Report:
    """The report of an answer to the first problem."""
    from kata.model import Job, Submission

    found: Report = engine.report(Job(str(root), 7, Submission("x.py", text.encode()), only=only))
    return found
