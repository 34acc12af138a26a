"""From attempts to marks, and each step in words."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kata.classroom.marks import Tried, chosen, marks
from kata.classroom.model import Assignment, Attempt, Course, Decision, Late, Mark
from tests.classroom.people import DUE, STUDENTS, assignment, attempt, report

PER_DAY = Late("per_day", 0.1)


def mark(
    *attempts: Attempt, late: Late = PER_DAY, bank: int = 0, decisions: tuple[Decision, ...] = (), **more: object
) -> Mark:
    course = Course("c", (assignment(**more),), late=late, bank_days=bank)
    return marks(course, STUDENTS[:1], attempts, decisions)[0]


def decision(kind: str, value: float = 0.0) -> Decision:
    return Decision("s1", "week-1", kind, value, "a reason")  # type: ignore[arg-type]


def test_in_time_nothing_is_taken() -> None:
    made = mark(attempt(7.0))
    assert (made.state, made.points, made.penalty) == ("graded", 7.0, 0.0)
    assert made.steps[-1].points == 7.0 and "7/10" in made.steps[-1].text


def test_nothing_handed_in_is_said_so() -> None:
    assert (mark().state, mark().points) == ("missing", 0.0)


def test_best_counts_what_is_left_after_the_penalty() -> None:
    made = mark(attempt(8.0, -1, 1), attempt(9.0, 47, 2))
    assert made.points == 8.0 and made.attempt and made.attempt.index == 1  # 9 − 20 % is less than 8


def test_last_counts_the_last() -> None:
    assert mark(attempt(8.0, -2, 1), attempt(3.0, -1, 2), attempts="last").points == 3.0


def test_attempts_over_the_limit_are_kept_and_do_not_count() -> None:
    assert mark(attempt(4.0, -3, 1), attempt(9.0, -1, 2), max_attempts=1).points == 4.0


def test_what_was_handed_in_at_one_moment_is_one_attempt() -> None:
    """A misnamed file is renamed, as kata asks, and the folder is collected again."""
    made = mark(attempt(4.0, -1, 1), attempt(9.0, -1, 1), attempt(10.0, 0, 2), max_attempts=1)
    assert made.points == 9.0 and made.steps[0].rule == "the best of the first 1 counts"
    assert made.steps[0].what.startswith("attempt 1 of 2")
    first, again = attempt(4.0, -1, 1), replace(attempt(4.0, -1, 1), answers=attempt(4.0, -1, 7).answers)
    assert mark(first, again).attempt is not None and mark(first, again).attempt == again


def test_why_this_attempt_counts_and_not_another() -> None:
    """What a student asks first: the worth of the others, and that later ones are over the limit."""
    tried = [attempt(8.0, -1, 1), attempt(9.0, 47, 2), attempt(10.0, 48, 3)]
    assert mark(tried[0]).steps[0].rule == "the best one counts"
    assert mark(*tried[:2]).steps[0].rule == "the best one counts; others: attempt 2 with 7.20"
    assert mark(*tried, max_attempts=2).steps[0].rule == "the best of the first 2 counts; others: attempt 2 with 7.20"
    assert mark(*tried, attempts="last").steps[0].rule.startswith("the last one counts; others: attempt 1 with 8.00, a")


def test_a_fault_of_ours_is_no_attempt_and_no_zero() -> None:
    broken = attempt(None, -2, 1, fault="the judge was lost")
    assert mark(broken).state == "pending" and mark(broken).points is None
    assert mark(broken, attempt(6.0, -1, 2), max_attempts=1).points == 6.0


def test_what_waits_is_pending_where_it_would_count() -> None:
    assert mark(attempt(5.0, -2, 1), attempt(None, -1, 2), attempts="last").state == "pending"
    assert mark(attempt(5.0, -2, 1), attempt(None, -1, 2)).points == 5.0


def test_a_last_attempt_that_our_fault_keeps_from_a_mark_is_waited_for() -> None:
    broken = attempt(None, -1, 2, fault="the judge was lost")
    assert mark(attempt(5.0, -2, 1), broken, attempts="last").state == "pending"
    assert mark(attempt(5.0, -2, 1), broken, attempts="last", max_attempts=1).points == 5.0
    assert mark(replace(broken, index=1), attempt(6.0, 0, 2), attempts="last", max_attempts=1).points == 6.0


def test_a_problem_that_the_course_dropped_keeps_nobody_waiting() -> None:
    for fault in ("", "the judge was lost"):
        dropped = replace(attempt(None, fault=fault).answers[0], problem=57)
        made = mark(replace(attempt(7.0), answers=(attempt(7.0).answers[0], dropped)))
        assert (made.state, made.points) == ("graded", 7.0)
        assert made.attempt is not None and [answer.problem for answer in made.attempt.answers] == [7]


def test_decisions_of_a_person() -> None:
    assert mark(attempt(8.0, 24), decisions=(decision("extension", 24),)).points == 8.0
    assert mark(attempt(8.0), decisions=(decision("adjustment", 1.5),)).points == 9.5
    assert mark(attempt(1.0), decisions=(decision("adjustment", -3),)).points == 0.0
    by_hand = mark(decisions=(decision("adjustment", 2),))
    assert (by_hand.state, by_hand.points) == ("graded", 2.0)  # so that exports don't leave it out
    assert mark(decisions=(decision("adjustment", 1.125),)).points == 1.13
    assert mark(decisions=(decision("extension", 24),)).state == "missing"
    excused = mark(attempt(8.0), decisions=(decision("excused"),))
    assert (excused.state, excused.points) == ("excused", None) and "a reason" in excused.steps[0].text


def test_the_bank_is_spent_in_the_order_of_due_dates() -> None:
    first, second = assignment(name="a"), assignment(name="b", due=DUE + timedelta(days=7))
    course = Course("c", (second, first), late=PER_DAY, bank_days=2)
    late = [replace(attempt(10.0, 23), assignment="a"), replace(attempt(10.0, 7 * 24 + 47), assignment="b")]
    a, b = marks(course, STUDENTS[:1], late, ())
    assert (a.assignment, a.points, a.bank_used) == ("a", 10.0, 1)
    assert (b.assignment, b.points, b.bank_used) == ("b", 9.0, 1)


def test_the_longest_extension_counts_and_is_the_one_that_is_told() -> None:
    both = (decision("extension", 24), decision("extension", 48))
    made = mark(attempt(8.0, 49), decisions=both)
    assert made.points == 7.2 and [s.what for s in made.steps if "due" in s.what] == ["due 48 hours later"]


def test_a_second_that_costs_is_told() -> None:
    made = mark(attempt(8.0, 1 / 3600))
    assert made.steps[0].what == "attempt 1 of 1, handed in at 2026-10-12 21:59:01+00:00"
    assert made.steps[-1].what == "1 second late"
    assert mark(attempt(8.0, 24.0001)).steps[-1].what == "1 day, 1 second late"
    assert mark(attempt(8.0, 62.5)).steps[-1].what == "2 days, 14 hours, 30 minutes late"


def test_a_day_is_not_spent_where_it_saves_nothing() -> None:
    assert mark(attempt(0.0, 20), bank=3).bank_used == 0
    in_time, later = Tried(attempt(), 0.3, 0.0, 0.0, 0, 0.0), Tried(attempt(index=2), 0.1 + 0.2, 0.0, 0.0, 1, 0.0)
    assert chosen([in_time, later], "best") is in_time


def test_craft_is_a_bonus_and_is_lost_when_it_is_too_late() -> None:
    crafty = attempt(10.0)
    crafty = replace(crafty, answers=(replace(crafty.answers[0], report=report(craft=1, max_craft=2)),))
    assert mark(crafty, craft_bonus=1.0).points == 10.5
    closed = replace(crafty, submitted=DUE + timedelta(days=9))
    assert mark(closed, craft_bonus=1.0, late=Late("per_day", 0.1, closes_after_hours=48)).points == 0


def test_a_problem_that_is_missing_counts_nothing() -> None:
    two = Assignment("week-1", {"7": 1.0, "8": 3.0})
    made = marks(Course("c", (two,)), STUDENTS[:1], [attempt(10.0)], ())[0]
    assert made.points == 2.5 and any("problem 8: not handed in" in step.text for step in made.steps)


ATTEMPTS = st.lists(st.tuples(st.floats(0, 10), st.floats(-100, 300)), min_size=1, max_size=6)


def several(pairs: list[tuple[float, float]]) -> list[Attempt]:
    ordered = sorted(pairs, key=lambda pair: pair[1])
    return [attempt(score, hours, n) for n, (score, hours) in enumerate(ordered, 1)]


@given(ATTEMPTS, st.integers(0, 5))
def test_another_attempt_never_lowers_the_best(pairs: list[tuple[float, float]], bank: int) -> None:
    tried = several(pairs)
    points = [mark(*tried[:n], bank=bank).points or 0.0 for n in range(1, len(tried) + 1)]
    assert points == sorted(points)


@given(ATTEMPTS, st.integers(0, 5), st.floats(0, 200))
def test_neither_days_nor_an_extension_lower_a_mark(pairs: list[tuple[float, float]], bank: int, hours: float) -> None:
    tried = several(pairs)
    plain = mark(*tried).points or 0.0
    assert (mark(*tried, bank=bank).points or 0.0) >= plain
    assert (mark(*tried, decisions=(decision("extension", hours),)).points or 0.0) >= plain


@given(ATTEMPTS, st.integers(0, 5))
def test_the_steps_end_at_the_mark(pairs: list[tuple[float, float]], bank: int) -> None:
    made = mark(*several(pairs), bank=bank)
    assert made.points == made.steps[-1].points
    assert 0 <= (made.points or 0.0) <= made.maximum


DECISIONS = st.lists(st.tuples(st.sampled_from(("extension", "adjustment")), st.floats(0, 5)), max_size=3)


@given(ATTEMPTS, st.integers(0, 2), DECISIONS, st.sampled_from((1.0, -1.0)))
def test_the_changes_add_up_to_the_mark(
    pairs: list[tuple[float, float]], bank: int, decided: list[tuple[str, float]], sign: float
) -> None:
    decisions = tuple(decision(kind, sign * value if kind == "adjustment" else value) for kind, value in decided)
    made = mark(*several(pairs), bank=bank, decisions=decisions)
    so_far = 0.0
    for step in made.steps:
        so_far = round(so_far + step.change, 2)
        assert so_far == step.points
    assert made.points == so_far
    whole = (made.raw or 0.0) + made.bonus - made.penalty + made.adjustment
    assert abs(made.points - max(0.0, whole)) <= 0.005 + 1e-9


CHOICE = "the best one counts; others: attempt 1 with 0.25"


def test_every_step_names_its_rule() -> None:
    two = Assignment("week-1", {"7": 1.0, "8": 3.0}, due=DUE, craft_bonus=0.5)
    crafty = replace(
        attempt(10.0, 50, 2), answers=(replace(attempt().answers[0], report=report(craft=1, max_craft=1)),)
    )
    late = Late("per_day", 0.2, most=0.5)
    decisions = (decision("extension", 1), decision("adjustment", 1.5))
    made = marks(Course("c", (two,), late=late, bank_days=1), STUDENTS[:1], [attempt(1.0), crafty], decisions)[0]
    assert [(s.what, s.rule, s.change, s.points) for s in made.steps] == [
        ("attempt 2 of 2, handed in at 2026-10-14 23:59+00:00", CHOICE, 0.0, 0.0),
        ("problem 7: 10/10", "weight 1 of 4: worth 2.5", 2.5, 2.5),
        ("problem 8: not handed in", "weight 3 of 4: worth 7.5", 0.0, 2.5),
        ("craft", "up to 0.5 on top for right answers that are well made", 0.13, 2.63),
        ("due 1 hours later", "a reason", 0.0, 2.63),
        ("1 late day taken from the bank", "each makes it 24 hours less late", 0.0, 2.63),
        ("1 day, 1 hour late", "20 % of what was earned for each begun day, at most 50 %", -1.05, 1.58),
        ("adjusted by a person", "a reason", 1.5, 3.08),
    ]
    assert made.steps[6].text == (
        "1 day, 1 hour late (20 % of what was earned for each begun day, at most 50 %): −1.05"
    )
