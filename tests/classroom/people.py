"""Makers of the classroom's nouns, for tests that need a few of them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from kata.classroom import desk
from kata.classroom.model import Assignment, Attempt, Graded, Student
from kata.model import Diagnosis, Error, Finding, ProblemRef, Report, SubmissionRef, Verdict
from tests import tiny

DUE = datetime(2026, 10, 12, 21, 59, tzinfo=UTC)
STUDENTS = (
    Student("s1", "Ünicode, Ana", "ana@x.example", "ana"),
    Student("s2", "Bob Bee", "bob@x.example", "bob", ("gh-bob", "5002")),
    Student("s3", "Cy Dee", "cy@x.example", "cy"),
)
ROSTER = 'id,name,email,login,other\ns1,"Ünicode, Ana",ana@x.example,ana,\ns2,Bob Bee,bob@x.example,bob,gh-bob;5002\n'
ROSTER += "s3,Cy Dee,cy@x.example,cy,\n"
COURSE = """
name = "A course"
track = "{track}"
sandbox = "process"
[late]
kind = "per_day"
rate = 0.1
[[assignment]]
name = "week-1"
problems = {{ 7 = 1 }}
due = 2026-10-12T21:59:00Z
"""
RIGHT = tiny.ANSWER.encode()
WRONG = RIGHT.replace(b"2 * x", b"1 * x")


def finding(check: str, verdict: Verdict = "passed", points: float = 1.0, **more: object) -> Finding:
    """A finding."""
    got = points if verdict == "passed" else 0.0
    base = Finding(check, f"It keeps {check}.", "required", False, verdict, got, points, "", {}, "", 0.1)
    return replace(base, **more)


def report(score: float = 10.0, most: float = 10.0, error: Error | None = None, **more: object) -> Report:
    """A report of problem 7."""
    findings = (finding("values", "passed" if score == most else "failed", most),)
    base = Report(
        schema="kata.report/1",
        kata="0",
        torch="2",
        python="3",
        sandbox="strict",
        seed=None,
        seconds=0.1,
        problem=ProblemRef(7, "double_and_shift", "Double and shift", 5),
        submission=SubmissionRef(None, "", "0" * 64),
        passed=score == most and error is None,
        score=score,
        max_score=most,
        craft=0,
        max_craft=0,
        findings=findings,
        diagnoses=() if score == most else (Diagnosis("not_doubled", "The input is not doubled.", ("values",)),),
        error=error,
    )
    return replace(base, **more)


def attempt(
    score: float | None = 10.0, late_hours: float = -1.0, index: int = 1, student: str = "s1", fault: str = ""
) -> Attempt:
    """A delivery for week-1, so many hours after the due date; without a score it is not graded."""
    told = None if score is None else report(score)
    answer = Graded(index, 7, "07.py", told, "c" * 64, fault)
    return Attempt(student, "week-1", index, DUE + timedelta(hours=late_hours), (answer,))


def assignment(**more: object) -> Assignment:
    """week-1 with problem 7."""
    return replace(Assignment("week-1", {"7": 1.0}, due=DUE), **more)


def class_folder(folder: Path, course: str = COURSE, roster: str = ROSTER) -> Path:
    """A class on the tiny track, in a folder of its own."""
    track = tiny.write(folder / "track") if not (folder / "track").exists() else folder / "track"
    room = folder / "class"
    desk.init(room, None)
    (room / "course.toml").write_text(course.format(track=track), "utf-8")
    (room / "roster.csv").write_text(roster, "utf-8")
    return room


def hand_in(folder: Path, **sources: bytes) -> Path:
    """A folder of submissions, one for each student."""
    for student, source in sources.items():
        (folder / student).mkdir(parents=True)
        (folder / student / f"{tiny.NAME}.py").write_bytes(source)
    return folder
