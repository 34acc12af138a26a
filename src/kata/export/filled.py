"""What filling in a platform's own file came to, and whom its rows mean."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from kata.classroom.model import Student
from kata.words import harmless

Find = Callable[[str], Student | None]  # a word → whom it means


class Filled(Struct, frozen=True):
    """The file with its one column filled in, and what a person should know about it."""

    data: bytes
    column: str
    filled: int
    unmatched: tuple[str, ...]  # rows of the file that mean nobody, or whom nobody graded
    left: tuple[str, ...]  # students with a mark that the file doesn't have
    refused: tuple[str, ...] = ()  # rows that the platform would not take
    maximum: str = ""  # what the platform counts the column out of, in its own digits


def whose(told: Iterable[str], number: str, find: Find) -> set[str]:
    """Whom the ids and the name of a row mean: several students where they contradict each other.

    A number that the platform made up may by chance be somebody's id. It says something where the roster has it in the
    column other, or where nothing else does and the roster has no name that could tell.
    """
    meant = {student.id for word in told if word and (student := find(word))}
    owner = find(number) if number else None
    if owner is not None and (number in owner.other or not (meant or owner.name)):
        meant.add(owner.id)
    return meant


def scale(maximum: str, points: float, bonus: float) -> str:
    """What to say where the platform counts a column out of something else than the course does; else nothing."""
    try:
        same = not maximum or float(maximum.replace(",", ".")) in (points, round(points + bonus, 9))
    except ValueError:
        same = True  # a scale of words, whose rows are refused, or "(read only)"
    return "" if same else f"the column is out of {harmless(maximum, 20)}, the marks are out of {points:g}"


def unknown(row: str, meant: set[str]) -> str:
    """What to say of a row that gets no mark."""
    return harmless(row, 100) + (f" (may be {' or '.join(sorted(meant))})" if len(meant) > 1 else "")
