"""Where a learner stands: every problem with its state, and which one is next."""

import sys
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from kata import progress, track, workspace
from kata.errors import KataError
from kata.model import Problem
from kata.progress import Entry, Record, Score
from kata.workspace import Workspace

State = Literal["untouched", "tried", "passed", "complete"]


class Standing(Struct, frozen=True):
    """One problem as its learner stands with it; this is what `--json` prints."""

    number: int
    slug: str
    title: str
    section: str
    level: int
    after: tuple[int, ...]
    state: State
    passed: str  # when, the first time; empty before
    tries: int
    best: float
    of: float
    hints: int
    solution_seen: bool
    gave_up: bool
    quiz: Score
    outdated: bool  # passed, but the grader has changed since


def standings(root: Path, home: Workspace | None = None) -> list[Standing]:
    """Every problem of a track, with what a workspace (that around the current folder) knows about it."""
    home = home or workspace.around(root)
    record: Record = progress.load(home) if home else {}
    problems = list(track.problems(root))
    known = {problem.number for problem in problems}
    found = [standing(problem, record.get(problem.slug, Entry()), known) for problem in problems]
    if not found:
        raise KataError(
            f"There are no problems in {root}. Mend the installation: `pip install --force-reinstall torch-kata`"
        )
    return found


def standing(problem: Problem, entry: Entry, known: Container[int]) -> Standing:
    """One problem with its entry; of what it builds on, only problems that are known count."""
    return Standing(
        problem.number,
        problem.slug,
        problem.title,
        problem.section,
        problem.level,
        tuple(number for number in problem.after if number in known),
        state(entry),
        entry.passed,
        entry.tries,
        entry.best,
        entry.of,
        len(entry.hints),
        bool(entry.solution_seen),
        entry.gave_up,
        entry.quiz,
        bool(entry.passed) and entry.passed_version < problem.version,
    )


def state(entry: Entry) -> State:
    """The state that an entry tells of."""
    if entry.passed:
        return "complete" if entry.craft_complete else "passed"
    return "tried" if entry.tries else "untouched"


def done(standing: Standing) -> bool:
    """Whether a problem is passed."""
    return standing.state in ("passed", "complete")


def following(standings: Iterable[Standing], left: int | None = None) -> Standing | None:
    """The next problem: one that was begun, else the next after the last pass whose prerequisites are passed.

    `left` is an open problem that its learner turns away from: then the next one after it, whatever was begun.
    """
    every = list(standings)
    passed = {s.number for s in every if done(s)}
    open_ = [s for s in every if not done(s) and s.number != left] or [s for s in every if not done(s)]
    at = left if left is not None else _passed_last(every)
    ready = [s for s in open_ if passed.issuperset(s.after)]
    later = [s for s in ready if s.number > at]
    begun = [s for s in open_ if s.state == "tried" and left is None]
    return next(iter([*begun, *later, *ready, *open_]), None)


def _passed_last(standings: list[Standing]) -> int:
    """The number of the problem that was passed most recently, below every number where none was."""
    return max(((s.passed, s.number) for s in standings if s.passed), default=("", -1))[1]


class Tally(Struct, frozen=True):
    """The whole record in numbers, and every problem."""

    problems: int
    passed: int
    complete: int
    tries: int
    problem_list: list[Standing]


def tally(standings: list[Standing]) -> Tally:
    """How far a learner is."""
    complete = sum(s.state == "complete" for s in standings)
    return Tally(len(standings), sum(map(done, standings)), complete, sum(s.tries for s in standings), standings)


def print_json(value: object) -> None:
    """One JSON document on stdout."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")
