"""Policies as pure functions of times and points: nothing here is ever stored."""

import math
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from kata.classroom.model import Late

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0


def lateness(submitted: datetime | None, due: datetime | None, extension_hours: float = 0.0) -> float:
    """Seconds after the due date and its extension; 0 for in time, for an unknown time and without a due date."""
    if submitted is None or due is None:
        return 0.0
    return max(0.0, (submitted - due - timedelta(hours=extension_hours)).total_seconds())


def after_grace(seconds: float, late: Late) -> float:
    """Lateness that counts: nothing within the grace period, all of it beyond."""
    return 0.0 if seconds <= late.grace_minutes * MINUTE else seconds


def banked(earned: float, maximum: float, seconds: float, late: Late, bank: int) -> tuple[int, float, float]:
    """The fewest late days that save as much as all of them would, the lateness that then counts, and its penalty."""

    def after(days: int) -> tuple[float, int, float]:
        counts = after_grace(max(0.0, seconds - days * DAY), late)  # what a day leaves may lie within the grace
        return exact(penalty(earned, maximum, counts, late)), days, counts

    taken, days, counts = min(map(after, range(min(bank, math.ceil(seconds / DAY)) + 1)))
    return days, counts, taken


def penalty(earned: float, maximum: float, seconds: float, late: Late) -> float:
    """Points taken for this lateness: never more than was earned, never less than nothing."""
    if seconds <= 0:
        return 0.0
    if late.closes_after_hours is not None and seconds > late.closes_after_hours * HOUR:
        return earned
    share = min(late.most, late.rate * _times(seconds, late))
    if late.kind == "cutoff":
        share = 1.0
    base = earned if late.of == "earned" or late.kind == "cutoff" else maximum
    return min(earned, share * base)


def _times(seconds: float, late: Late) -> int:
    match late.kind:
        case "per_day":
            return math.ceil(seconds / DAY)
        case "per_hour":
            return math.ceil(seconds / HOUR)
        case "once":
            return 1
    return 0


def spoken(seconds: float, late: Late) -> str:
    """The rule that a penalty for this lateness follows, in words."""
    if late.closes_after_hours is not None and seconds > late.closes_after_hours * HOUR:
        return f"closed {late.closes_after_hours:g} hours after the due date"
    if late.kind == "cutoff":
        return "nothing is given for what is late"
    each = {"per_day": " for each begun day", "per_hour": " for each begun hour"}.get(late.kind, "")
    most = f", at most {100 * late.most:g} %" if late.most < (1 if each else late.rate) else ""
    whole = "what was earned" if late.of == "earned" else "the maximum"
    return f"{100 * late.rate:g} % of {whole}{each}{most}"


def weighted(scores: dict[int, tuple[float, float]], weights: dict[int, float], points: float) -> float:
    """Points of an assignment: the weighted mean of each problem's share; a problem that is not there counts 0."""
    total = sum(weights.values())
    if not total:
        return 0.0
    earned = sum(weight * _share(*scores.get(problem, (0.0, 0.0))) for problem, weight in weights.items())
    return points * earned / total


def _share(score: float, most: float) -> float:
    return min(1.0, max(0.0, score / most)) if most > 0 else 0.0


def adjusted(points: float, change: float) -> float:
    """Points after a person's adjustment; never below 0."""
    return max(0.0, points + change)


def exact(points: float) -> float:
    """Points without what binary fractions add to them, so that equal points are equal."""
    return round(points, 9)


def rounded(points: float) -> float:
    """Two decimals, halves up, as a person would."""
    return float(Decimal(repr(exact(points))).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))
