"""The instructor's desk: a class's folder with everything that lies in it, and what can be done there."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from msgspec.structs import replace

from kata.classroom import course, decisions, grade, gradebook, lacks, marks, regrade, roster, sheet
from kata.classroom.collect import collect, times
from kata.classroom.grade import Progress
from kata.classroom.gradebook import Gradebook
from kata.classroom.layouts import Layout
from kata.classroom.model import Assignment, Attempt, Collected, Mark, Note, Student
from kata.classroom.regrade import Moved
from kata.classroom.roster import Roster
from kata.errors import KataError
from kata.files import write
from kata.model import Level, Report
from kata.zygote.launch import Engine, can_fork
from kata.zygote.levels import standing


def init(folder: Path, old: Path | None) -> None:
    """A new class: policy (copied from an old one, if there is one), an empty roster, a gradebook with its own seed.

    What is there already stays: an init that was stopped halfway is finished, and only a whole class is refused.
    """
    text = (old / course.FILE).read_text("utf-8") if old and course.load(old) else course.TEMPLATE.read_text("utf-8")
    made = {
        folder / course.FILE: text.encode(),
        folder / roster.FILE: (",".join(roster.HEADER) + "\r\n").encode(),
        folder / decisions.FILE: (",".join(decisions.HEADER) + "\r\n").encode(),
    }
    here = [path.name for path in (*made, folder / gradebook.FILE) if path.exists()]
    if {course.FILE, roster.FILE, gradebook.FILE} <= {*here}:
        raise KataError(f"{folder} holds a class already ({', '.join(here)}); nothing was changed.")
    if old and course.FILE in here and (folder / course.FILE).read_bytes() != text.encode():
        raise KataError(f"{folder / course.FILE} is not the one of {old}; nothing was changed. Move it away first.")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as wrong:
        raise KataError(f"{folder} can't be made: {wrong.strerror}") from None
    for path, content in made.items():
        if path.name not in here:
            write(path, content)
    if gradebook.FILE not in here:
        gradebook.create(folder)


class Desk:
    """One class: its course, people and decisions, read when it is opened, and its gradebook."""

    def __init__(self, chosen: str | None) -> None:
        self.folder = course.find(chosen)
        self.again = f"-C {chosen}" if chosen else ""  # what a command needs to find this class, as it was typed
        self.room = course.load(self.folder)
        self.roster = Roster(roster.load(self.folder))
        self.decisions = decisions.load(self.folder, self.roster.students, self.room.course.assignment)
        self.book = Gradebook(self.folder)

    def __enter__(self) -> "Desk":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.book.__exit__(kind, value, at)

    def student(self, word: str) -> Student:
        """The student that a word means; raises KataError."""
        lacks.people(self.folder, self.roster.students)
        found = self.roster.find(word)
        if found.student is None:
            raise KataError(f"{word!r} is {found.why}" if "may be" not in found.why else f"{word!r} {found.why}")
        return found.student

    def remembered(self, word: str) -> Student:
        """The student that a word means, or the id of somebody who left the roster and not the gradebook."""
        if self.roster.find(word).student is None and any(held.student == word for held in self.book.held()):
            return Student(word)
        return self.student(word)

    def take(self, source: Path, assignment: Assignment, when: str | None, layout: Layout | None) -> Collected:
        """Collects submissions and takes them into the gradebook."""
        lacks.people(self.folder, self.roster.students)
        found = collect(source, self.room, assignment, self.roster, times(when, self.roster), layout)
        before = self.book.times()
        self.book.deliver(found.deliveries)
        again = [
            Note("again", student, f"was {was.isoformat(' ')}, and from now on counts as {now.isoformat(' ')}")
            for id, (student, now) in self.book.times().items()
            if now and (was := before.get(id, (student, None))[1]) and was != now
        ]
        return replace(found, notes=(*found.notes, *again))

    def level(self, accepted: Level | None) -> Level:
        """The sandbox of this machine; raises KataError where the course accepts nothing so weak."""
        here = available()
        grade.check_level(accepted or self.room.course.sandbox, here)
        return here

    def grade(
        self, assignment: Assignment, accepted: Level | None, judges: int, ahead: Engine | None = None
    ) -> Iterator[Progress]:
        """Judges everything that has no result yet, with an engine that was started ahead if there is one."""
        level = self.level(accepted)
        with grade.alone(self.folder):
            todo = grade.pending(self.room, self.book, assignment.name, level)
            yield from grade.run(self.room, self.book, todo, judges, "graded", ahead)

    def idle(self, assignment: Assignment) -> str:
        """What to say, and what to do next, where there is nothing to judge."""
        mine = [attempt for attempt in self.book.attempts() if attempt.assignment == assignment.name]
        lacks.people(self.folder, self.roster.students)
        if not mine:
            return (
                f"{lacks.nothing([], [assignment.name])} Next: kata classroom grade SUBMISSIONS {self.again}".rstrip()
            )
        count = sum(len(attempt.answers) for attempt in mine)
        told = (
            f"Everything that was handed in for {assignment.name} is judged already ({lacks.counted(count, 'answer')})."
        )
        return f"{told} Next: kata classroom report {self.again}".rstrip()

    def unmoved(self) -> str:
        """What to say where nothing stands on another basis."""
        lacks.results(self.book.attempts(), [each.name for each in self.room.course.assignment], self.again)
        return "Every result stands on today's versions, limits and seed: there is nothing to grade anew."

    def unclaimed(self) -> str:
        """Says which answers count for nobody, since roster or course no longer name whose or what for they are."""
        ids, names = (s.id for s in self.roster.students), (a.name for a in self.room.course.assignment)
        return lacks.unclaimed(self.book.held(), ids, names)

    def stale(self, assignment: Assignment) -> int:
        """How many results of an assignment stand on another basis than today's."""
        dues = grade.everything(self.room, self.book, available())
        return sum(due.held.assignment == assignment.name for due in regrade.stale(dues))

    def regrade(self, accepted: Level | None, judges: int, dry: bool, moved: list[Moved]) -> Iterator[Progress]:
        """Judges anew what stands on another basis, puts the marks that move into `moved`, and adopts unless dry."""
        level = self.level(accepted)
        with grade.alone(self.folder):
            todo = regrade.stale(grade.everything(self.room, self.book, level))
            reasons = regrade.reasons(self.book, todo)
            found: dict[int, Report] = {}
            yield from regrade.anew(self.room, self.book, todo, judges, found)
            attempts = self.book.attempts()
            why = regrade.why(attempts, reasons)
            moved += regrade.moved(self.marks(attempts), self.marks(regrade.replaced(attempts, found)), why)
            if not dry:
                for due in todo:
                    if due.held.id in found:
                        self.book.adopt([(due.held.id, due.key)], f"regraded: {reasons[due.held.id]}")

    def marks(self, attempts: list[Attempt] | None = None) -> list[Mark]:
        """Every mark, from what the gradebook holds and the policies of today."""
        known = self.book.attempts() if attempts is None else attempts
        return marks.marks(self.room.course, self.roster.students, known, self.decisions)

    def named(self, mark: Mark) -> Mark:
        """A mark whose reports say whose they are."""
        if mark.attempt is None:
            return mark
        answers = [
            replace(
                a, report=replace(a.report, submission=replace(a.report.submission, student=mark.student, path=a.path))
            )
            if a.report
            else a
            for a in mark.attempt.answers
        ]
        return replace(mark, attempt=replace(mark.attempt, answers=tuple(answers)))

    def faults(self) -> list[tuple[str, str]]:
        """Whose answers could not be graded by our fault, and where the traceback is; dropped problems aside."""
        asked = {(each.name, int(number)) for each in self.room.course.assignment for number in each.problems}
        return [
            (attempt.student, f"{attempt.assignment}, problem {answer.problem}: {answer.fault}")
            for attempt in self.book.attempts()
            for answer in attempt.answers
            if answer.fault and (attempt.assignment, answer.problem) in asked
        ]

    def forget(self, student: Student) -> int:
        """Deletes a student from gradebook, decisions and roster; returns how many deliveries went.

        From the roster last, so that it can be run again wherever it was stopped.
        """
        with grade.alone(self.folder):  # a judge that is at work would bring back a result
            gone = self.book.forget(student.id)
            _drop(self.folder / decisions.FILE, "student", student.id)
            _drop(self.folder / roster.FILE, "id", student.id)
        return gone


def available() -> Level:
    """The level of the sandbox that this machine offers."""
    return standing(can_fork()).level


def _drop(path: Path, column: str, value: str) -> None:
    """Rewrites a table of the class without the rows of one student."""
    if path.exists():
        write(path, sheet.without(sheet.read(path), column, value).encode())
