"""Where a learner stands: every problem with its state, and which one is next."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from kata import progress, track, workspace
from kata.errors import KataError
from kata.model import Problem
from kata.progress import Entry, Record, Score

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
    tries: int
    best: float
    of: float
    hints: int
    solution_seen: bool
    gave_up: bool
    quiz: Score
    outdated: bool  # passed, but the grader has changed since


def standings(root: Path) -> list[Standing]:
    """Every problem of a track, with what the workspace around the current folder knows about it."""
    home = workspace.around(root)
    record: Record = progress.load(home) if home else {}
    found = [standing(problem, record.get(problem.slug, Entry())) for problem in track.problems(root)]
    if not found:
        raise KataError(
            f"There are no problems in {root}. Mend the installation: pip install --force-reinstall torch-kata"
        )
    return found


def standing(problem: Problem, entry: Entry) -> Standing:
    """One problem with its entry."""
    return Standing(
        problem.number,
        problem.slug,
        problem.title,
        problem.section,
        problem.level,
        problem.after,
        state(entry),
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


def following(standings: Iterable[Standing], than: int = 0) -> Standing | None:
    """The next problem: one that was begun, else the first whose prerequisites are passed, else the first open one.

    `than` is a problem that was just left, which is not proposed again while there is another.
    """
    every = list(standings)
    passed = {s.number for s in every if done(s)}
    open_ = [s for s in every if not done(s) and s.number != than] or [s for s in every if not done(s)]
    known = {s.number for s in every}
    ready = [s for s in open_ if {*s.after} & known <= passed]
    later = [s for s in ready if s.number > than]
    begun = [s for s in open_ if s.state == "tried"]
    return next(iter([*begun, *later, *ready, *open_]), None)


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


def first(root: Path) -> Standing | None:
    """The problem that a learner begins with."""
    return following([standing(problem, Entry()) for problem in track.problems(root)])


def print_json(value: object) -> None:
    """One JSON document on stdout."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")
