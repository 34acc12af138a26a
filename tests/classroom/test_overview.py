"""What the class understood, in numbers."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kata import track
from kata.classroom.marks import marks
from kata.classroom.model import Course
from kata.classroom.overview import Column, Overview, bins, overview, people
from kata.model import Diagnosis, Error
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
    assert [(p.id, problems) for p, problems in told.unnamed] == [("s1", (7,))]
    assert ("Bob Bee", "could not be judged: syntax") in [(p.name, why) for p, why in told.stragglers]


def test_whoever_makes_two_mistakes_at_once_holds_both(root: Path) -> None:
    """The ranking counts people, however many mistakes each of them makes; the clearest example is of one alone."""
    plus, start = "One key too many.", "Counted from the start."
    told = [
        ("s1", "plus_one + from_start", f"Two things are off. {plus}\nAnd: {start}", "values"),
        ("s2", "plus_one", plus, "values"),
        ("s3", "from_start or inverted", f"{start}\nOr: Inverted.", "no_loop"),
    ]
    made = []
    for student, name, text, check in told:
        one = attempt(0.0, student=student)
        diagnoses = (Diagnosis(name, text, (check,)),)
        answer = replace(one.answers[0], report=report(0.0, diagnoses=diagnoses), content=student)
        made.append(replace(one, answers=(answer,)))
    known = marks(Course("c", (assignment(),)), STUDENTS, made, ())
    sources = {student.id: student.id.encode() for student in STUDENTS}
    seen = overview(assignment(), {7: track.find(root, "7")}, known, people(STUDENTS), {}, sources)
    assert [(m.name, m.text, [p.id for p in m.holders], m.craft, m.code) for m in seen.misconceptions] == [
        ("plus_one", plus, ["s1", "s2"], False, "s2"),
        ("from_start", start, ["s1"], False, "s1"),
        ("from_start or inverted", f"{start}\nOr: Inverted.", ["s3"], True, "s3"),
    ]


def test_of_several_problems_the_one_that_is_wrong_is_named(root: Path) -> None:
    """Checks of two problems may have one name."""
    one = attempt(0.0)
    bad = report(0.0, diagnoses=())
    bad = replace(bad, findings=(replace(bad.findings[0], message="2 of 3 are wrong"),))
    answers = (one.answers[0], replace(one.answers[0], id=2, problem=8, report=bad))
    two = replace(one, answers=(replace(answers[0], report=report()), answers[1]))
    part = assignment(problems={"7": 1.0, "8": 1.0})
    made = marks(Course("c", (part,)), STUDENTS[:1], [two], ())
    seen = overview(part, {7: track.find(root, "7"), 8: track.find(root, "7")}, made, people(STUDENTS), {}, {})
    assert seen.unnamed[0][1] == (8,) and seen.rows[0].first == "problem 8, values: 2 of 3 are wrong"


@given(st.lists(st.floats(0, 12)), st.floats(0, 10))
def test_every_mark_is_in_one_bin(points: list[float], maximum: float) -> None:
    assert sum(bins(points, maximum)) == len(points)
