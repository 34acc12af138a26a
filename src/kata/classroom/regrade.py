"""Grades anew whatever was graded on another basis, and shows every mark that moves, and why, before it counts."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kata.classroom.course import Class
from kata.classroom.grade import Due, Progress, judged
from kata.classroom.gradebook import Gradebook
from kata.classroom.keys import differences
from kata.classroom.model import Attempt, Mark
from kata.model import Report


class Moved(Struct, frozen=True):
    """A mark that is another after a regrade."""

    student: str
    assignment: str
    before: float | None
    after: float | None
    why: tuple[str, ...]


def stale(dues: Sequence[Due]) -> list[Due]:
    """The answers whose result stands on another basis than today's."""
    return [due for due in dues if due.held.key is not None and due.held.key != due.key]


def anew(
    room: Class, book: Gradebook, todo: Sequence[Due], judges: int, found: dict[int, Report]
) -> Iterator[Progress]:
    """Judges on today's basis and puts the reports, by answer, into `found`; none of them counts yet."""
    for progress, dues, report in judged(room, book, todo, judges):
        if report is not None:
            found |= {due.held.id: report for due in dues}
        yield progress


def reasons(book: Gradebook, todo: Sequence[Due]) -> dict[int, str]:
    """Why each answer is judged anew."""
    return {due.held.id: differences(book.basis(due.held.key), due.basis) for due in todo if due.held.key}


def moved(before: Sequence[Mark], after: Sequence[Mark], why: dict[tuple[str, str], tuple[str, ...]]) -> list[Moved]:
    """The marks that differ; one may differ only by late days that another assignment of the student leaves."""
    pairs = zip(before, after, strict=True)
    changed = [(b, a) for b, a in pairs if (b.points, b.state) != (a.points, a.state)]
    return [
        Moved(b.student, b.assignment, b.points, a.points, (*why.get((b.student, b.assignment), ()), *_days(b, a)))
        for b, a in changed
    ]


def _days(before: Mark, after: Mark) -> Iterator[str]:
    if before.bank_used != after.bank_used:
        yield f"late days from the bank {before.bank_used} → {after.bank_used}"


def replaced(attempts: Sequence[Attempt], found: dict[int, Report]) -> list[Attempt]:
    """The attempts as they are once the new reports count."""
    return [
        replace(attempt, answers=tuple(replace(a, report=found.get(a.id, a.report)) for a in attempt.answers))
        for attempt in attempts
    ]


def why(attempts: Sequence[Attempt], reasons: dict[int, str]) -> dict[tuple[str, str], tuple[str, ...]]:
    """The reasons by student and assignment."""
    told: dict[tuple[str, str], tuple[str, ...]] = {}
    for attempt in attempts:
        found = [
            f"problem {answer.problem}: {reasons[answer.id]}" for answer in attempt.answers if answer.id in reasons
        ]
        key = attempt.student, attempt.assignment
        told[key] = tuple(dict.fromkeys((*told.get(key, ()), *found)))
    return told
