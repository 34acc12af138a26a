"""What the class understood, in numbers: pure functions of marks, ready for a page or a terminal."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from kata.classroom.model import Assignment, Mark, Student
from kata.classroom.policy import rounded
from kata.model import Diagnosis, Problem, Report
from kata.words import harmless

BINS = 10


class Person(Struct, frozen=True):
    """A student as the page names them."""

    id: str
    name: str


class Row(Struct, frozen=True):
    """One student's line: what became of each check, and the mark."""

    person: Person
    state: str
    points: float | None
    raw: float | None
    bonus: float
    penalty: float
    adjustment: float
    attempts: int
    submitted: str
    cells: tuple[str, ...]  # a verdict for each column of the heat map, "" where there is none
    first: str  # the first thing that is wrong, in the judge's words


class Column(Struct, frozen=True):
    """One check of a problem."""

    problem: int
    number: int  # of the check within its problem, from 1
    check: str
    promise: str
    craft: bool
    passed: int
    seen: int

    @property
    def share(self) -> float:
        """How many of those who handed the problem in keep it."""
        return self.passed / self.seen if self.seen else 1.0


class Misconception(Struct, frozen=True):
    """A mistake that was named, and who made it."""

    problem: int
    name: str
    text: str
    holders: tuple[Person, ...]
    of: int  # so many handed the problem in
    craft: bool = False  # only what is well made lacks, and no points
    code: str = ""


class Overview(Struct, frozen=True):
    """One assignment."""

    assignment: str
    maximum: float
    bins: tuple[int, ...]
    mean: float | None
    median: float | None
    graded: int
    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    misconceptions: tuple[Misconception, ...]
    unnamed: tuple[tuple[Person, tuple[int, ...]], ...]  # problems that are wrong, and no known mistake explains it
    stragglers: tuple[tuple[Person, str], ...]


def people(students: Sequence[Student], secret: str = "") -> dict[str, Person]:
    """How students are named: as they are, or, with a secret, by a number that tells nothing about them."""
    if not secret:
        return {student.id: Person(student.id, student.name or student.id) for student in students}
    mixed = sorted(students, key=lambda s: hashlib.blake2b(s.id.encode(), key=bytes.fromhex(secret)).digest())
    width = len(str(len(mixed)))
    return {s.id: Person(f"s{n:0{width}}", f"Student {n:0{width}}") for n, s in enumerate(mixed, 1)}


def overview(
    assignment: Assignment,
    problems: dict[int, Problem],
    marks: Sequence[Mark],
    named: dict[str, Person],
    counts: dict[str, int],
    sources: dict[str, bytes],
    anonymous: bool = False,
) -> Overview:
    """Everything about one assignment; code is shown only of the `sources` that are given, times and texts of students
    only where they have their names."""
    mine = [mark for mark in marks if mark.assignment == assignment.name and mark.student in named]
    mine.sort(key=lambda mark: named[mark.student].id)
    columns = [column for number in problems for column in _columns(number, mine)]
    points = sorted(mark.points for mark in mine if mark.state == "graded" and mark.points is not None)
    return Overview(
        assignment.name,
        assignment.points,
        bins(points, assignment.points),
        sum(points) / len(points) if points else None,
        _median(points),
        len(points),
        tuple(_row(mark, named[mark.student], columns, counts.get(mark.student, 0), anonymous) for mark in mine),
        tuple(columns),
        tuple(_misconceptions(mine, named, sources)),
        tuple((named[mark.student], odd) for mark in mine if (odd := _unexplained(_reports(mark)))),
        tuple((named[mark.student], word) for mark in mine if (word := _straggles(mark))),
    )


def bins(points: Sequence[float], maximum: float) -> tuple[int, ...]:
    """How many marks lie in each tenth of the maximum; more than the maximum counts as the maximum."""
    counts = [0] * BINS
    for value in points:
        counts[int(min(BINS - 1, BINS * value / maximum)) if maximum else 0] += 1
    return tuple(counts)


def _median(values: Sequence[float]) -> float | None:
    half = len(values) // 2
    return (values[half] + values[~half]) / 2 if values else None


def _reports(mark: Mark) -> dict[int, Report]:
    answers = mark.attempt.answers if mark.attempt else ()
    return {answer.problem: answer.report for answer in answers if answer.report is not None}


def _columns(problem: int, marks: Sequence[Mark]) -> list[Column]:
    found = [finding for mark in marks if (r := _reports(mark).get(problem)) for finding in r.findings]
    first = {finding.check: finding for finding in found}
    passed = [finding.check for finding in found if finding.verdict == "passed"]
    seen = [finding.check for finding in found]
    return [
        Column(problem, n, f.check, f.promise, f.tier == "craft", passed.count(f.check), seen.count(f.check))
        for n, f in enumerate(first.values(), 1)
    ]


def _row(mark: Mark, person: Person, columns: Sequence[Column], attempts: int, anonymous: bool) -> Row:
    reports = _reports(mark)
    verdicts = {(number, f.check): f.verdict for number, report in reports.items() for f in report.findings}
    cells = tuple(verdicts.get((column.problem, column.check), "") for column in columns)
    which = {number: f"problem {number}, " if len(reports) > 1 else "" for number in reports}
    told = [which[n] + r.error.message for n, r in reports.items() if r.error] + [
        f"{which[n]}{f.check}: {f.message}"
        for n, r in reports.items()
        for f in r.findings
        if f.message and f.tier == "required"
    ]
    when = mark.attempt.submitted.isoformat(" ", "minutes") if mark.attempt and mark.attempt.submitted else ""
    first = (told or [""])[0][:200]
    own = ("", cells, "") if anonymous else (when, cells, first)
    raw = None if mark.raw is None else rounded(mark.raw)
    bonus, penalty, adjustment = map(rounded, (mark.bonus, mark.penalty, mark.adjustment))
    return Row(person, mark.state, mark.points, raw, bonus, penalty, adjustment, attempts, *own)


def _misconceptions(marks: Sequence[Mark], named: dict[str, Person], sources: dict[str, bytes]) -> list[Misconception]:
    held: dict[tuple[int, str], dict[str, Mark]] = {}
    texts: dict[tuple[int, str], str] = {}
    costly: set[tuple[int, str]] = set()
    of: dict[int, int] = {}
    for mark in marks:
        for number, report in _reports(mark).items():
            of[number] = of.get(number, 0) + 1
            required = {finding.check for finding in report.findings if finding.tier == "required"}
            for checks, name, text in _mistakes(report.diagnoses):
                held.setdefault((number, name), {})[mark.student] = mark
                texts[number, name] = text
                costly |= {(number, name)} if required & set(checks) else set()
    return [
        Misconception(
            number,
            name,
            texts[number, name],
            tuple(named[student] for student in who),
            of[number],
            (number, name) not in costly,
            _code(_clearest(who.values(), number), number, sources),
        )
        for (number, name), who in sorted(held.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def _mistakes(diagnoses: Sequence[Diagnosis]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """(checks, name, text) of each mistake: whoever makes two at once holds both; `one or another` stays one entry."""
    for told in diagnoses:
        names = told.name.split(" + ")
        texts = re.sub(r"^\w+ things are off\. ", "", told.text).split("\nAnd: ")
        pairs = zip(names, texts, strict=True) if len(names) == len(texts) > 1 else [(told.name, told.text)]
        yield from ((told.checks, name, text) for name, text in pairs)


def _clearest(marks: Iterable[Mark], problem: int) -> Mark:
    """Of those who hold a misconception, the first who holds the fewest others."""
    return min(marks, key=lambda mark: len([*_mistakes(_reports(mark)[problem].diagnoses)]))


def _code(mark: Mark, problem: int, sources: dict[str, bytes]) -> str:
    answers = mark.attempt.answers if mark.attempt else ()
    found = [sources[a.content] for a in answers if a.problem == problem and a.content in sources]
    return harmless(found[0].decode("utf-8", "replace").replace("\r\n", "\n"), 6000) if found else ""


def _unexplained(reports: dict[int, Report]) -> tuple[int, ...]:
    return tuple(n for n, r in reports.items() if not r.passed and r.error is None and not r.diagnoses)


def _straggles(mark: Mark) -> str:
    if mark.state in ("missing", "pending"):
        return {"missing": "nothing handed in", "pending": "not graded yet"}[mark.state]
    errors = [report.error.kind.replace("_", " ") for report in _reports(mark).values() if report.error]
    return f"could not be judged: {errors[0]}" if errors else "late" if mark.penalty else ""
