"""What lacks before a class can be graded or marks can leave it: a sentence each, with what to type next."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from kata.classroom import course, roster
from kata.classroom.gradebook import Held
from kata.classroom.model import Attempt, Student
from kata.errors import KataError


def people(folder: Path, students: Sequence[Student]) -> None:
    """Refuses to go on without anybody in the roster."""
    if not students:
        raise KataError(
            f"{folder / roster.FILE} names nobody yet. Give it one line for each student, below its first line "
            f"({','.join(roster.HEADER)}; only the id must be filled in), and run the same command again."
        )


def results(attempts: Sequence[Attempt], assignments: Sequence[str], again: str) -> None:
    """Refuses to go on where none of these assignments has any result; `again` ends the commands that are named."""
    mine = [attempt for attempt in attempts if attempt.assignment in assignments]
    if not any(answer.report for attempt in mine for answer in attempt.answers):
        raise KataError(
            f"{nothing(mine, assignments)} First: kata classroom grade {'SUBMISSIONS ' * (not mine)}{again}".rstrip()
        )


def nothing(attempts: Sequence[Attempt], assignments: Sequence[str]) -> str:
    """Why there is no result."""
    names = " or ".join(assignments)
    if not attempts:
        return f"Nothing was handed in for {names} yet."
    who = counted(len({attempt.student for attempt in attempts}), "student")
    return f"Nothing is graded yet of what {who} handed in for {names}."


def unclaimed(held: Iterable[Held], students: Iterable[str], assignments: Iterable[str]) -> str:
    """Says which answers count for nobody: of ids or assignments that were renamed or taken out; "" for none."""
    known = list(held)
    gone = _listed({each.student for each in known} - {*students}, "student", roster.FILE)
    old = _listed({each.assignment for each in known} - {*assignments}, "assignment", course.FILE)
    if not gone and not old:
        return ""
    listed = "; ".join(filter(None, (gone, old)))
    return f"The gradebook holds answers that count for nobody: {listed}. Was one renamed? Name it as before."


def _listed(names: set[str], noun: str, file: str) -> str:
    shown = ", ".join(sorted(names)[:4]) + " …" * (len(names) > 4)
    return f"of {counted(len(names), noun)} not in {file} ({shown})" if names else ""


def counted(number: int, noun: str) -> str:
    """`1 answer`, `2 answers`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
