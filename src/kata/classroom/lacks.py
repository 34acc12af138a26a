"""What lacks before a class can be graded or marks can leave it: a sentence each, with what to type next."""

from collections.abc import Sequence
from pathlib import Path

from kata.classroom import roster
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


def counted(number: int, noun: str) -> str:
    """`1 answer`, `2 answers`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
