"""The nouns of a classroom, all frozen: the course, its people, what they handed in, and what it is worth."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from kata.model import Error, Level, Report

Kind = Literal["none", "per_day", "per_hour", "once", "cutoff"]
Share = Annotated[float, Meta(ge=0, le=1)]
NotNegative = Annotated[float, Meta(ge=0, le=1e6)]  # sums and shares of these stay numbers
Count = Annotated[int, Meta(ge=0, le=10**6)]
Zoned = Annotated[datetime, Meta(tz=True)]
Seconds = Annotated[float, Meta(gt=0, le=1e6)]

# ── The course, as course.toml says it ──────────────────────────────────────────────────────────────────────────────


class Late(Struct, frozen=True, forbid_unknown_fields=True):
    """What handing in late costs."""

    kind: Kind = "none"
    rate: Share = 0.0  # the share taken for each begun day or hour, or once
    of: Literal["earned", "maximum"] = "earned"  # what the share is a share of
    most: Share = 1.0  # no more than this share is ever taken
    grace_minutes: Count = 0  # so late is not late
    closes_after_hours: NotNegative | None = None  # later than this (grace and extension included) gives nothing


class OwnLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of one assignment, named as in kata.model.Limits; None leaves a problem its own."""

    cpu_seconds: Seconds | None = None
    wall_seconds: Seconds | None = None
    memory_mib: Annotated[int, Meta(ge=64, le=2**24)] | None = None
    submission_seconds: Seconds | None = None


class Assignment(Struct, frozen=True, forbid_unknown_fields=True):
    """Problems that are handed in together."""

    name: Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9._-]+$")]
    problems: dict[str, NotNegative]  # number → weight
    points: NotNegative = 10.0
    due: Zoned | None = None
    attempts: Literal["best", "last"] = "best"
    max_attempts: Count = 0  # 0: as many as they like; later ones are kept and don't count
    craft_bonus: NotNegative = 0.0  # points on top for complete craft, in proportion for some
    late: Late | None = None  # None: the course's
    limits: OwnLimits | None = None


class Course(Struct, frozen=True, forbid_unknown_fields=True):
    """A course."""

    name: str
    assignment: Annotated[tuple[Assignment, ...], Meta(min_length=1)]
    track: str = ""  # a folder with the three shelves, beside course.toml or absolute; "": the one of kata
    sandbox: Level = "strict"  # the weakest level that is accepted
    bank_days: Count = 0  # free late days of each student, for the whole course
    late: Late = Late()


# ── People ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class Student(Struct, frozen=True):
    """One row of the roster."""

    id: str
    name: str = ""
    email: str = ""
    login: str = ""
    other: tuple[str, ...] = ()  # further ids: a number of Canvas or Moodle, a login of GitHub


class Decision(Struct, frozen=True):
    """Something that a person decided about one student and assignment."""

    student: str
    assignment: str
    kind: Literal["extension", "adjustment", "excused"]
    value: float  # hours, points, nothing
    reason: str


# ── What was handed in ──────────────────────────────────────────────────────────────────────────────────────────────


class Answer(Struct, frozen=True):
    """One file for one problem, or why it can't be judged."""

    problem: int
    path: str
    source: bytes = b""
    refused: Error | None = None


class Delivery(Struct, frozen=True):
    """What one student handed in at one time."""

    student: str
    assignment: str
    answers: tuple[Answer, ...]
    submitted: datetime | None = None  # None: not known


class Note(Struct, frozen=True):
    """Something about the submissions that a person should know."""

    kind: Literal["unmatched", "ambiguous", "refused", "ignored", "guessed", "time", "again"]
    path: str
    text: str


class Collected(Struct, frozen=True):
    """Everything that was found in a folder or zip."""

    layout: str
    deliveries: tuple[Delivery, ...]
    notes: tuple[Note, ...]


# ── What it is worth ────────────────────────────────────────────────────────────────────────────────────────────────


class Graded(Struct, frozen=True):
    """One problem of a delivery with its report, or without one: not graded yet, or a fault of ours."""

    id: int
    problem: int
    path: str
    report: Report | None
    content: str = ""  # the hash of its source
    fault: str = ""


class Attempt(Struct, frozen=True):
    """A delivery as the gradebook knows it."""

    student: str
    assignment: str
    index: int  # counts from 1; what was handed in at one moment has one
    submitted: datetime | None
    answers: tuple[Graded, ...]


class Step(Struct, frozen=True):
    """One line of how a mark came about: what, by which rule, what it changes, and the mark after it."""

    what: str
    rule: str
    change: float
    points: float

    @property
    def text(self) -> str:
        """The line where there are no columns."""
        told = f"{self.what} ({self.rule})" if self.rule else self.what
        return f"{told}: {signed(self.change)}" if self.change else told


def plain(points: float) -> str:
    """Points to the last hundredth, without zeros that say nothing: 7, 7.5, 12345.67."""
    return f"{points:.2f}".rstrip("0").removesuffix(".")


def signed(points: float) -> str:
    """A change of points, as in +1.50."""
    return f"{points:+.2f}".replace("-", "−")


class Mark(Struct, frozen=True):
    """What a student gets for an assignment, from the submissions' own times and the policies of today.

    raw + bonus - penalty + adjustment are the points, before they are kept from falling below 0, and rounded.
    """

    student: str
    assignment: str
    state: Literal["graded", "missing", "pending", "excused"]
    maximum: float
    points: float | None = None
    raw: float | None = None
    bonus: float = 0.0
    penalty: float = 0.0
    adjustment: float = 0.0
    attempt: Attempt | None = None
    bank_used: int = 0
    steps: tuple[Step, ...] = ()
