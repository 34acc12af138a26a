"""What the class understood, in numbers."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kata import track
from kata.classroom.marks import marks
from kata.classroom.model import Course
from kata.classroom.overview import Column, Overview, bins, overview, people
from kata.model import Error
from tests.classroom.people import STUDENTS, assignment, attempt, report


def seen(root: Path, secret: str = "", **sources: bytes) -> Overview:
    tried = [attempt(10.0), attempt(2.0, student="s2", late_hours=5)]
    made = marks(Course("c", (assignment(),)), STUDENTS, tried, ())
    given = {"c" * 64: b"print(1)"} if sources else {}
    named = people(STUDENTS, secret)
    return overview(assignment(), {7: track.find(root, "7")}, made, named, {"s1": 1}, given, bool(secret))


def test_numbers_of_a_class(root: Path) -> None:
    told = seen(root)
    assert (told.graded, told.mean, told.median) == (2, 6.0, 6.0)
    assert told.bins == (0, 0, 1, 0, 0, 0, 0, 0, 0, 1)
    assert [(c.check, c.passed, c.seen) for c in told.columns] == [("values", 1, 2)]
    assert [row.cells for row in told.rows] == [("passed",), ("failed",), ("",)]
    (held,) = told.misconceptions
    assert (held.name, [p.name for p in held.holders], held.of, held.code) == ("not_doubled", ["Bob Bee"], 2, "")
    assert [(p.name, why) for p, why in told.stragglers] == [("Cy Dee", "nothing handed in")]


def test_checks_are_as_hard_as_the_share_that_keeps_them() -> None:
    """3 of 4 is easier than 10 of 40, and what nobody handed in is no hard check."""
    columns = [Column(7, 1, name, "", False, passed, seen) for name, passed, seen in (("a", 3, 4), ("b", 10, 40))]
    assert sorted(columns, key=lambda c: c.share) == columns[::-1]
    assert Column(7, 1, "c", "", False, 0, 0).share == 1.0


def test_code_only_where_it_is_asked_for(root: Path) -> None:
    assert seen(root, ask=b"").misconceptions[0].code == "print(1)"


def test_anonymous_tells_neither_names_nor_order_nor_times(root: Path) -> None:
    told = seen(root, "11" * 16)
    text = repr(told)
    assert not any(s.name in text for s in STUDENTS) and "2026" not in text
    orders = {tuple(people(STUDENTS, f"{n:02x}" * 16)) for n in range(40)}
    assert len(orders) > 1


def test_wrong_without_a_known_mistake_is_listed(root: Path) -> None:
    odd = attempt(1.0)
    odd = replace(odd, answers=(replace(odd.answers[0], report=report(1.0, diagnoses=())),))
    broken = attempt(0.0, student="s2")
    error = Error("syntax", "SyntaxError", 1)
    broken = replace(broken, answers=(replace(broken.answers[0], report=report(0.0, error=error)),))
    made = marks(Course("c", (assignment(),)), STUDENTS, [odd, broken], ())
    told = overview(assignment(), {7: track.find(root, "7")}, made, people(STUDENTS), {}, {})
    assert [p.id for p in told.unnamed] == ["s1"]
    assert ("Bob Bee", "could not be judged: syntax") in [(p.name, why) for p, why in told.stragglers]


@given(st.lists(st.floats(0, 12)), st.floats(0, 10))
def test_every_mark_is_in_one_bin(points: list[float], maximum: float) -> None:
    assert sum(bins(points, maximum)) == len(points)
