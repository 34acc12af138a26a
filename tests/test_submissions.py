"""Odd submissions: whatever is handed in has one known outcome; none passes, hangs, or makes the judge raise.

`python -m tests.test_submissions [slow | FILE…]` writes the outcomes anew; see tests/submissions/README.md.
"""

import json
import os
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kata import track, workspace
from kata.grading import exit_code
from kata.model import Job, Problem, Report
from kata.zygote.launch import Engine
from tests import real

HERE = Path(__file__).with_name("submissions")
OUTCOMES = HERE / "outcomes.json"
NUMBER = 29
FILES = sorted(path.name for path in HERE.glob("*.py"))
SLOW = {"hangs.py", "sleeps.py", "hangs_when_it_is_run.py", "hangs_in_the_result.py"}  # in every check
PATIENT = {  # in one check
    "hangs_where_there_is_one.py",
    "ignores_signals.py",
    "returns_a_list_subclass.py",
}
UNSTEADY = {"returns_a_freed_storage.py"}  # what is read there is whatever lies there
QUICK = '{"cpu_seconds": 0.5, "wall_seconds": 10, "memory_mib": 512}'


def link(folder: Path, to: str) -> Path:
    (made := folder / "link.py").symlink_to(to)
    return made


def pipe(folder: Path) -> Path:
    os.mkfifo(made := folder / "pipe.py")
    return made


def large(folder: Path) -> Path:
    with (made := folder / "large.py").open("wb") as file:
        file.truncate(50 * 2**20)
    return made


def named(folder: Path, name: str) -> Path:
    (made := folder / name).write_bytes((HERE / "returns_none.py").read_bytes())
    return made


MADE: dict[str, Callable[[Path], Path]] = {
    "a link": lambda folder: link(folder, str(HERE / "returns_none.py")),
    "a link to nothing": lambda folder: link(folder, "nothing.py"),
    "a link to itself": lambda folder: link(folder, "link.py"),
    "a folder": lambda folder: folder,
    "a pipe": pipe,
    "a device": lambda folder: Path("/dev/zero"),
    "a file of 50 MB": large,
    "no file": lambda folder: folder / "nothing.py",
    "a path below a file": lambda folder: named(folder, "x.py") / "y.py",
    "a long name": lambda folder: folder / ("x" * 5000 + ".py"),
    "a name with markup": lambda folder: named(folder, "[bold]\x1b[31m\u202ename[]\n.py"),
    "a name that is no text": lambda folder: named(folder, "\udcff\udcfe.py"),
}


def quick_track(root: Path) -> Path:
    """Problem 29 with limits that are soon reached."""
    problem = track.find(real.ROOT, str(NUMBER))
    for shelf, file in (("problems", problem.question), ("solutions", problem.answer), ("grader", problem.grader)):
        (root / shelf).mkdir(parents=True)
        (root / shelf / file.name).write_bytes(file.read_bytes())
    grader = root / "grader" / problem.grader.name
    lines = grader.read_text("utf-8").splitlines(keepends=True)
    grader.write_text(
        "".join(f"LIMITS = {QUICK}\n" if line.startswith("LIMITS =") else line for line in lines), "utf-8"
    )
    return root


class Desk:
    """Hands in files, all to one engine."""

    def __init__(self, engine: Engine, root: Path) -> None:
        self._engine, self.root = engine, root
        self._problem: Problem = track.find(root, str(NUMBER))

    def report(self, path: Path) -> Report:
        """What is found about a file."""
        handed_in = workspace.submission(self._problem, str(path), self.root)
        return self._engine.report(Job(str(self.root), NUMBER, handed_in))


def outcome(told: Report, name: str, folder: str = "") -> dict[str, Any]:
    """What a golden outcome keeps of a report; the folder that a file was made in is left out."""
    if name in UNSTEADY:
        return {"exit": exit_code([told])}
    first = next((f.message for f in told.findings if f.verdict not in ("passed", "skipped")), "")
    kept = {
        "exit": exit_code([told]),
        "error": told.error.kind if told.error else None,
        "line": told.error.line if told.error else None,
        "says": (told.error.message if told.error else first).replace(folder or "…", "…")[:300],
        "score": told.score,
        "verdicts": grouped(told),
        "named": [diagnosis.name for diagnosis in told.diagnoses],
    }
    return {name: value for name, value in kept.items() if value not in (None, [], 0.0)}


def grouped(told: Report) -> dict[str, Any]:
    """The checks by verdict; the largest group is `all`, or `the others`."""
    groups: dict[str, list[str]] = {}
    for finding in told.findings:
        groups.setdefault(finding.verdict, []).append(finding.check)
    largest = max(groups, key=lambda verdict: len(groups[verdict]))
    return groups | {largest: "the others" if len(groups) > 1 else "all"}


def texts(value: Any) -> Iterator[str]:
    """Every text of a report."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def wanted() -> dict[str, Any]:
    """The outcomes that were reviewed."""
    known: dict[str, Any] = json.loads(OUTCOMES.read_text("utf-8"))
    return known


def proven(told: Report, name: str, folder: str = "") -> None:
    """What no submission may do, and its own golden outcome."""
    assert not told.passed
    assert exit_code([told]) in (1, 2)
    for text in texts(msgspec.json.decode(msgspec.json.encode(told))):
        assert all(c in "\n\t" or unicodedata.category(c)[0] != "C" for c in text), repr(text)
        assert len(text) <= 17_000
    assert outcome(told, name, folder) == wanted()[name]


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with Engine() as engine:
        yield Desk(engine, real.ROOT)


@pytest.fixture(scope="module")
def quick_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with Engine() as engine:
        yield Desk(engine, quick_track(tmp_path_factory.mktemp("quick") / "track"))


@pytest.mark.parametrize("name", [name for name in FILES if name not in SLOW])
def test_an_odd_file(name: str, desk: Desk, quick_desk: Desk) -> None:
    content = (HERE / name).read_bytes()
    start = time.monotonic()
    told = (quick_desk if name in PATIENT else desk).report(HERE / name)
    assert time.monotonic() - start < 60
    proven(told, name)
    assert (HERE / name).read_bytes() == content


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SLOW))
def test_a_file_that_hangs_in_every_check(name: str, quick_desk: Desk) -> None:
    proven(quick_desk.report(HERE / name), name)


@pytest.mark.parametrize("name", MADE)
def test_an_odd_path(name: str, desk: Desk, tmp_path: Path) -> None:
    told = desk.report(MADE[name](tmp_path))
    proven(told, name, str(tmp_path))


def test_every_outcome_has_its_submission() -> None:
    assert sorted(wanted()) == sorted([*FILES, *MADE])


def main(chosen: set[str]) -> None:
    """Writes the outcomes of these submissions anew."""
    known = wanted() if OUTCOMES.exists() else {}
    found: dict[str, Any] = {}
    with Engine() as engine, tempfile.TemporaryDirectory() as folder:
        desk, quick = Desk(engine, real.ROOT), Desk(engine, quick_track(Path(folder) / "track"))
        for name in FILES:
            if name not in chosen:
                found[name] = known.get(name, {})
                continue
            start = time.monotonic()
            told = (quick if name in SLOW | PATIENT else desk).report(HERE / name)
            found[name] = outcome(told, name)
            print(f"{time.monotonic() - start:6.2f} s  {name:45} {found[name].get('says')!r:.90}", flush=True)
        for index, name in enumerate(MADE):
            (place := Path(folder) / str(index)).mkdir()
            found[name] = outcome(desk.report(MADE[name](place)), name, str(place))
    OUTCOMES.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main(set(sys.argv[1:]) - {"slow"} or (set(FILES) if "slow" in sys.argv else set(FILES) - SLOW))
