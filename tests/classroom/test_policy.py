"""Policies hold for every number, not for the few that somebody thought of."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.classroom import policy
from kata.classroom.model import Kind, Late

KINDS: tuple[Kind, ...] = ("none", "per_day", "per_hour", "once", "cutoff")
SHARES = st.floats(0, 1)
POINTS = st.floats(0, 1000)
SECONDS = st.floats(0, 60 * 86400)
LATES = st.builds(
    Late,
    kind=st.sampled_from(KINDS),
    rate=SHARES,
    of=st.sampled_from(("earned", "maximum")),
    most=SHARES,
    grace_minutes=st.integers(0, 600),
    closes_after_hours=st.none() | st.floats(0, 2000),
)
DUE = datetime(2026, 10, 12, tzinfo=UTC)


@given(POINTS, POINTS, SECONDS, LATES)
def test_a_penalty_takes_nothing_that_was_not_earned(earned: float, maximum: float, seconds: float, late: Late) -> None:
    assert 0 <= policy.penalty(earned, maximum, seconds, late) <= earned


@given(POINTS, POINTS, SECONDS, SECONDS, LATES)
def test_later_is_never_cheaper(earned: float, maximum: float, one: float, other: float, late: Late) -> None:
    early, later = sorted((one, other))
    assert policy.penalty(earned, maximum, early, late) <= policy.penalty(earned, maximum, later, late)


@given(POINTS, POINTS, LATES)
def test_in_time_costs_nothing(earned: float, maximum: float, late: Late) -> None:
    assert policy.penalty(earned, maximum, 0.0, late) == 0


@given(POINTS, POINTS, SECONDS, LATES, st.integers(0, 30))
def test_late_days_never_hurt_and_are_never_wasted(
    earned: float, maximum: float, seconds: float, late: Late, bank: int
) -> None:
    days, left, taken = policy.banked(earned, maximum, seconds, late, bank)
    assert 0 <= days <= bank and left in (0.0, seconds - days * policy.DAY)
    assert taken == policy.exact(policy.penalty(earned, maximum, left, late))
    assert all(policy.banked(earned, maximum, seconds, late, fewer)[2] > taken for fewer in range(days))
    assert taken <= policy.banked(earned, maximum, seconds, late, 0)[2]


def test_the_bank_pays_no_day_that_saves_nothing() -> None:
    day, once = policy.DAY, Late("once", 0.3, closes_after_hours=168)
    assert policy.banked(10, 10, 10 * day, once, 5) == (3, 7 * day, 3.0)  # open again; the other two change nothing
    assert policy.banked(10, 10, 10 * day, once, 2) == (0, 10 * day, 10.0)
    assert policy.banked(10, 10, 10 * day, Late("none", closes_after_hours=24), 30) == (9, day, 0.0)
    assert policy.banked(10, 10, 9 * day, Late("per_day", 0.1, most=0.3), 6) == (0, 9 * day, 3.0)
    assert policy.banked(0.1 + 0.2, 1, 2 * day, Late("per_day", 0.3, "maximum"), 1)[0] == 0  # 0.30000000000000004


def test_what_a_late_day_leaves_may_lie_within_the_grace() -> None:
    cutoff = Late("cutoff", grace_minutes=15)
    assert policy.banked(10, 10, policy.DAY + 600, cutoff, 3) == (1, 0.0, 0.0)
    assert policy.banked(10, 10, policy.DAY + 901, cutoff, 1) == (0, policy.DAY + 901, 10.0)


@given(st.floats(-1000, 1000), st.floats(0, 500))
def test_an_extension_never_makes_anybody_later(hours: float, extension: float) -> None:
    submitted = DUE + timedelta(hours=hours)
    without, with_it = policy.lateness(submitted, DUE), policy.lateness(submitted, DUE, extension)
    assert 0 <= with_it <= without


@given(SECONDS, st.integers(0, 1000))
def test_grace_forgives_all_or_nothing(seconds: float, minutes: int) -> None:
    counted = policy.after_grace(seconds, Late(grace_minutes=minutes))
    assert counted == (0 if seconds <= minutes * 60 else seconds)


@given(st.dictionaries(st.integers(1, 60), st.tuples(POINTS, st.floats(1, 1000))), st.integers(1, 60), POINTS)
def test_a_weighted_mean_lies_between_nothing_and_everything(
    scores: dict[int, tuple[float, float]], number: int, points: float
) -> None:
    weights = {number: 1.0, 61: 2.0}
    earned = policy.weighted(scores, weights, points)
    assert 0 <= earned <= points * (1 + 1e-9)
    better = policy.weighted(scores | {61: (1.0, 1.0)}, weights, points)
    assert better >= earned - 1e-9


@given(POINTS, st.floats(-2000, 2000))
def test_an_adjustment_stops_at_nothing(points: float, change: float) -> None:
    assert policy.adjusted(points, change) == max(0.0, points + change)


@given(st.integers(0, 10**6))
def test_halves_are_rounded_up(cents: int) -> None:
    assert policy.rounded(cents / 100) == cents / 100
    assert policy.rounded((cents + 0.5) / 100) == (cents + 1) / 100


def test_what_the_kinds_take() -> None:
    day = 86400.0
    assert policy.penalty(8, 10, day + 1, Late("per_day", 0.1)) == 0.2 * 8
    assert policy.penalty(8, 10, day + 1, Late("per_day", 0.1, "maximum")) == 0.2 * 10
    assert policy.penalty(8, 10, 9 * day, Late("per_day", 0.1, most=0.5)) == 4
    assert policy.penalty(8, 10, 3601, Late("per_hour", 0.01)) == 0.02 * 8
    assert policy.penalty(8, 10, 99 * day, Late("once", 0.25)) == 2
    assert policy.penalty(8, 10, 1, Late("cutoff")) == 8
    assert policy.penalty(8, 10, 99 * day, Late("none", 1.0)) == 0
    assert policy.penalty(8, 10, 2 * day, Late("none", closes_after_hours=24)) == 8
    assert policy.lateness(None, DUE) == policy.lateness(DUE, None) == 0


@pytest.mark.parametrize(
    ("late", "hours", "said"),
    [
        (Late("per_day", 0.1), 1, "10 % of what was earned for each begun day"),
        (Late("per_hour", 0.025, "maximum", 0.5), 1, "2.5 % of the maximum for each begun hour, at most 50 %"),
        (Late("once", 0.3, most=0.3), 1, "30 % of what was earned"),
        (Late("once", 0.3, most=0.1), 1, "30 % of what was earned, at most 10 %"),
        (Late("cutoff"), 1, "nothing is given for what is late"),
        (Late("per_day", 0.1, closes_after_hours=48), 49, "closed 48 hours after the due date"),
    ],
)
def test_the_rule_of_a_penalty_in_words(late: Late, hours: float, said: str) -> None:
    assert policy.spoken(hours * policy.HOUR, late) == said
