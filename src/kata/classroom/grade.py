"""Grades what is held and has no result yet, and writes each result as it comes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kata.classroom import crowd
from kata.classroom.course import Class
from kata.classroom.crowd import Outcome, Work
from kata.classroom.gradebook import Gradebook, Held
from kata.classroom.keys import Basis, basis
from kata.errors import KataError
from kata.fault import saved
from kata.model import Job, Level, Report, Submission
from kata.zygote.launch import Engine
from kata.zygote.levels import ORDER


class Due(Struct, frozen=True):
    """An answer that is to be judged, and on which basis."""

    held: Held
    basis: Basis

    @property
    def key(self) -> str:
        """The key that its result will have."""
        return self.basis.key(self.held.content)


class Progress(Struct, frozen=True):
    """How far a run is."""

    done: int
    of: int
    faults: int


def check_level(accepted: Level, here: Level) -> None:
    """Refuses to run foreign code in a weaker sandbox than the course accepts."""
    if ORDER.index(here) < ORDER.index(accepted):
        raise KataError(
            f"The course accepts nothing weaker than the sandbox {accepted}, and this machine offers {here} "
            f"(`kata doctor` says why). To grade all the same: --accept {here}, or sandbox = {here!r} in course.toml."
        )


def pending(room: Class, book: Gradebook, assignment: str, level: Level) -> list[Due]:
    """The answers of an assignment that have no result at all."""
    return [due for due in everything(room, book, level) if due.held.key is None and due.held.assignment == assignment]


def everything(room: Class, book: Gradebook, level: Level) -> list[Due]:
    """Every answer to a problem that the course still has, with the basis of today."""
    seed, bases = book.seed, dict[tuple[str, int], Basis]()
    for assignment in room.course.assignment:
        for number, problem in room.problems(assignment).items():
            limits = room.limits(assignment, problem)
            bases[assignment.name, number] = basis(seed, assignment.name, problem, limits, level)
    found = [(held, bases.get((held.assignment, held.problem))) for held in book.held()]
    return [Due(held, basis) for held, basis in found if basis is not None]


def run(
    room: Class, book: Gradebook, todo: Sequence[Due], judges: int, reason: str, engine: Engine | None = None
) -> Iterator[Progress]:
    """Judges what has no result of its key yet, adopts every result as it comes, and says how far it is."""
    for progress, dues, _ in judged(room, book, todo, judges, engine):
        if progress.of and dues:
            book.adopt([(due.held.id, due.key) for due in dues], reason)
        yield progress


def judged(
    room: Class, book: Gradebook, todo: Sequence[Due], judges: int, engine: Engine | None = None
) -> Iterator[tuple[Progress, list[Due], Report | None]]:
    """Every result for the answers that share it, whether it was known or is new; [] where a fault is ours."""
    groups: dict[str, list[Due]] = {}
    for due in todo:
        groups.setdefault(due.key, []).append(due)
    done = faults = 0
    for key in [key for key in groups if book.result(key) is not None]:
        done += len(groups[key])
        yield Progress(done, len(todo), faults), groups.pop(key), book.result(key)
    work = [_work(room, book, dues[0]) for dues in groups.values()]
    for outcome in crowd.run(work, judges, engine):
        dues = groups[outcome.work.key]
        report = _kept(book, dues[0], outcome)
        done, faults = done + len(dues), faults + len(dues) * (report is None)
        yield Progress(done, len(todo), faults), dues if report else [], report


def _work(room: Class, book: Gradebook, due: Due) -> Work:
    held = due.held
    submission = Submission(held.path, book.source(held.content), refused=held.refused)
    job = Job(str(room.root.resolve()), held.problem, submission, due.basis.seed, warm=True)
    return Work(due.key, job, due.basis.limits)


def _kept(book: Gradebook, due: Due, outcome: Outcome) -> Report | None:
    """The report as the gradebook keeps it, without seed and person; a fault of ours is noted instead."""
    report = outcome.report
    if report is None or (report.error is not None and report.error.kind == "ours"):
        told = report.error.message if report is not None and report.error is not None else ""
        book.blame(due.basis, due.held.content, saved(outcome.fault) if outcome.fault else told)
        return None
    if ORDER.index(report.sandbox) < ORDER.index(due.basis.sandbox):
        raise KataError(f"A judge ran in the sandbox {report.sandbox}, weaker than {due.basis.sandbox}.")
    kept = replace(report, seed=None, submission=replace(report.submission, student=None, path=""))
    book.keep(due.basis, due.held.content, kept)
    return kept


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Lets one command at a time write to a class; a killed one leaves nothing locked."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with (folder / "gradebook.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise KataError("Another kata command is grading this class. Wait for it, or stop it.") from None
        yield
