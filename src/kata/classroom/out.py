"""Everything that leaves the class: exports, feedback and the class report, each from marks that are final today."""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from kata.classroom import lacks, page
from kata.classroom.desk import Desk
from kata.classroom.feedback import Feedback, feedback, markdown
from kata.classroom.model import Assignment, Mark
from kata.classroom.overview import overview, people
from kata.errors import KataError
from kata.export import canvas, gradescope, moodle
from kata.export.filled import Filled, scale
from kata.export.jsonl import jsonl
from kata.export.junit import junit
from kata.export.neutral import file_names
from kata.export.table import table
from kata.files import write

WHOLE: dict[str, Callable[[list[Mark]], bytes]] = {"csv": table, "jsonl": jsonl, "junit": lambda marks: _junit(marks)}
FILLED = {"canvas": canvas.fill, "moodle": moodle.fill}
EACH = ("gradescope", "feedback")
WITHOUT = {"missing": "nothing handed in", "pending": "not graded yet", "excused": "excused"}
FORMATS = (*FILLED, *WHOLE, *EACH)


class Written(Struct, frozen=True):
    """What an export wrote."""

    paths: tuple[Path, ...]
    filled: Filled | None = None
    scale: str = ""  # that the platform counts out of something else
    without: tuple[str, ...] = ()  # students for whom there is no file, and why
    older: tuple[str, ...] = ()  # what else lies in the folder, and may be of a mark that is no more


def export(desk: Desk, format: str, assignment: Assignment, out: Path, template: Path | None, column: str) -> Written:
    """Writes one format of one assignment."""
    _ready(desk, [assignment.name])
    marks = [desk.named(mark) for mark in desk.marks() if mark.assignment == assignment.name]
    if format in FILLED:
        return _filled(desk, format, marks, out, template, column, assignment)
    if format in WHOLE:
        write(out, WHOLE[format](marks))
        return Written((out,))
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise KataError(
            f"{out} can't be made: {wrong.strerror}. {format} is a file for each student: -o FOLDER"
        ) from None
    without = tuple(f"{mark.student} ({why})" for mark in marks if (why := _lack(mark, format)))
    told = [mark for mark in marks if not _lack(mark, format)]
    paths = tuple(_each(desk, format, assignment, told, out))
    older = sorted({path.name for path in out.iterdir()} - {path.name for path in paths})
    return Written(paths, without=without, older=tuple(older))


def _lack(mark: Mark, format: str) -> str:
    """Why a student gets no file; Gradescope has no word for who is excused, and any number would be wrong."""
    return "" if mark.state == "excused" and format == "feedback" else WITHOUT.get(mark.state, "")


def _ready(desk: Desk, assignments: list[str]) -> None:
    lacks.people(desk.folder, desk.roster.students)
    lacks.results(desk.book.attempts(), assignments, desk.again)


def _filled(
    desk: Desk, format: str, marks: list[Mark], out: Path, template: Path | None, column: str, of: Assignment
) -> Written:
    if template is None:
        raise KataError(f"The file that you downloaded from {format.title()} is asked for: --template FILE")
    try:
        data = template.read_bytes()
    except OSError as wrong:
        raise KataError(f"{template} can't be read: {wrong.strerror}") from None
    if out.exists() and out.samefile(template):
        raise KataError(f"{out} is the file that you downloaded; give another name with -o, so that it stays as it is")
    filled = FILLED[format](data, _texts(marks), column or of.name, lambda word: desk.roster.find(word).student)
    write(out, filled.data)
    return Written((out,), filled, scale(filled.maximum, of.points, of.craft_bonus))


def _texts(marks: list[Mark]) -> dict[str, str]:
    """What goes into a platform's cell; who is pending, or handed nothing in, keeps what stands there."""
    told = {mark.student: f"{mark.points:.2f}" for mark in marks if mark.state == "graded" and mark.points is not None}
    return told | {mark.student: "EX" for mark in marks if mark.state == "excused"}


def _each(desk: Desk, format: str, assignment: Assignment, marks: list[Mark], out: Path) -> Iterator[Path]:
    weights = {int(number): weight for number, weight in assignment.problems.items()}
    names = file_names(student.id for student in desk.roster.students)
    for mark in marks:
        name, told = names[mark.student], _feedback(desk, mark, assignment)
        texts = {f"{name}.json": gradescope.results(mark, told, weights)}
        if format == "feedback":
            html = page.feedback(desk.room.course.name, told)
            texts = {f"{name}.md": markdown(told).encode(), f"{name}.html": html.encode()}
        for file, text in texts.items():
            write(out / file, text)
            yield out / file


def _feedback(desk: Desk, mark: Mark, assignment: Assignment) -> Feedback:
    answers = mark.attempt.answers if mark.attempt else ()
    sources = {answer.content: desk.book.source(answer.content) for answer in answers}
    return feedback(mark, assignment, desk.room.problems(assignment), sources)


def _junit(marks: list[Mark]) -> bytes:
    return junit(a.report for mark in marks if mark.attempt for a in mark.attempt.answers if a.report)


def report(desk: Desk, out: Path, anonymous: bool, with_code: bool) -> Path:
    """Writes the class report as one HTML page."""
    if anonymous and with_code:
        raise KataError("Code may name its author, so --anonymous and --with-code don't go together.")
    if not desk.faults():  # the page says where their tracebacks are
        _ready(desk, [assignment.name for assignment in desk.room.course.assignment])
    attempts = desk.book.attempts()
    marks = desk.marks(attempts)
    named = people(desk.roster.students, desk.book.seed if anonymous else "")
    contents = {a.content for mark in marks if mark.attempt for a in mark.attempt.answers} if with_code else set()
    sources = {content: desk.book.source(content) for content in contents}
    parts = []
    for assignment in desk.room.course.assignment:
        counts = {attempt.student: attempt.index for attempt in attempts if attempt.assignment == assignment.name}
        problems = desk.room.problems(assignment)
        parts.append(overview(assignment, problems, marks, named, counts, sources, anonymous))
    faults = [f"{named[student].name}: {text}" for student, text in desk.faults() if student in named]
    write(out, page.report(desk.room.course.name, parts, faults, anonymous).encode())
    return out
