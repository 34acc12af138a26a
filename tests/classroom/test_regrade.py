"""A regrade shows every mark that moves, and why, before anything counts."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from kata.classroom.desk import Desk
from kata.classroom.marks import marks
from kata.classroom.model import Course, Late
from kata.classroom.regrade import Moved, moved
from tests import tiny
from tests.classroom.people import DUE, RIGHT, STUDENTS, WRONG, assignment, attempt, class_folder, hand_in


def regraded(at: Desk, dry: bool) -> list[Moved]:
    moved: list[Moved] = []
    for _ in at.regrade(None, 2, dry, moved):
        pass
    return moved


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A graded class, and then another version of the grader, in which the wrong answer is right."""
    room = class_folder(tmp_path)
    with Desk(str(room)) as at:
        at.take(hand_in(tmp_path / "in", ana=RIGHT, bob=WRONG), at.room.assignment(None), None, None)
        assert list(at.grade(at.room.assignment(None), None, 2))
    grader = tmp_path / "track" / "grader" / f"{tiny.NAME}.py"
    text = grader.read_text()
    assert "VERSION = 5" in text and "factor=2.0" in text
    grader.write_text(text.replace("VERSION = 5", "VERSION = 6").replace("factor=2.0", "factor=1.0"))
    return room


def test_a_dry_run_changes_nothing_and_a_real_one_what_it_said(room: Path) -> None:
    with Desk(str(room)) as at:
        assert at.stale(at.room.assignment(None)) == 2
        dry = regraded(at, dry=True)
        assert [(m.student, m.before, m.after) for m in dry] == [("s1", 10.0, 0.0), ("s2", 0.0, 10.0)]
        assert dry[0].why == ("problem 7: problem version 5 → 6",)
        assert [m.points for m in at.marks()] == [10.0, 0.0, 0.0]
    with Desk(str(room)) as at:
        assert regraded(at, dry=False) == dry
        assert [m.points for m in at.marks()] == [0.0, 10.0, 0.0]
        assert at.stale(at.room.assignment(None)) == 0 and regraded(at, dry=False) == []
        (first, *_) = at.book.held()
        assert [(reason, report.problem.version) for _, reason, report in at.book.history(first.id)] == [
            ("graded", 5),
            ("regraded: problem version 5 → 6", 6),
        ]


def test_other_limits_are_another_basis(room: Path) -> None:
    text = (room / "course.toml").read_text()
    (room / "course.toml").write_text(re.sub(r"(?m)^due", "limits = { cpu_seconds = 1.5 }\ndue", text))
    with Desk(str(room)) as at:
        assert regraded(at, dry=True)[0].why == ("problem 7: problem version 5 → 6, limits",)


def test_a_mark_that_moves_only_by_late_days_says_so() -> None:
    later = assignment(name="week-2", due=DUE + timedelta(days=7))
    course = Course("c", (assignment(), later), late=Late("per_day", 0.1), bank_days=1)
    second = replace(attempt(10.0, 7 * 24 + 5), assignment="week-2")
    before, after = (marks(course, STUDENTS[:1], [attempt(score, 5), second], ()) for score in (10.0, 0.0))
    why: dict[tuple[str, str], tuple[str, ...]] = {("s1", "week-1"): ("problem 7: version 5 → 6",)}
    assert [(m.assignment, m.before, m.after, m.why) for m in moved(before, after, why)] == [
        ("week-1", 10.0, 0.0, ("problem 7: version 5 → 6", "late days from the bank 1 → 0")),
        ("week-2", 9.0, 10.0, ("late days from the bank 0 → 1",)),
    ]
