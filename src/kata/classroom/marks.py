"""From attempts and policies to marks, with every step in words. Pure: the gradebook and the clock stay outside."""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from kata.classroom import policy
from kata.classroom.lacks import counted
from kata.classroom.model import Assignment, Attempt, Course, Decision, Late, Mark, Step, Student

Key = tuple[str, str]
Line = tuple[str, str, float]  # what, by which rule, and what it changes
OTHERS = 3  # attempts that don't count and are told with what they are worth


class Tried(Struct, frozen=True):
    """One attempt with what it would be worth."""

    attempt: Attempt
    raw: float
    bonus: float
    late: float  # seconds that count, once late days are spent
    bank: int
    penalty: float

    @property
    def points(self) -> float:
        """What is left, before a person's adjustment."""
        return self.raw + self.bonus - self.penalty


def marks(
    course: Course, students: Sequence[Student], attempts: Sequence[Attempt], decisions: Sequence[Decision]
) -> list[Mark]:
    """A mark for each student and assignment, in the roster's order; late days are spent in the order of due dates."""
    made: dict[Key, list[Attempt]] = {}
    asked = {a.name: {int(number) for number in a.problems} for a in course.assignment}
    for attempt in attempts:
        answers = tuple(a for a in attempt.answers if a.problem in asked.get(attempt.assignment, ()))
        made.setdefault((attempt.student, attempt.assignment), []).append(replace(attempt, answers=answers))
    decided: dict[Key, list[Decision]] = {}
    for decision in decisions:
        decided.setdefault((decision.student, decision.assignment), []).append(decision)
    order = sorted(course.assignment, key=lambda a: (a.due is None, a.due.timestamp() if a.due else 0.0, a.name))
    return [mark for student in students for mark in _of(student.id, course, order, made, decided)]


def _of(
    student: str,
    course: Course,
    order: list[Assignment],
    made: dict[Key, list[Attempt]],
    decided: dict[Key, list[Decision]],
) -> Iterator[Mark]:
    bank = course.bank_days
    for assignment in order:
        key = student, assignment.name
        mark = _mark(student, assignment, assignment.late or course.late, made.get(key, []), decided.get(key, []), bank)
        bank -= mark.bank_used
        yield mark


def _mark(
    student: str, assignment: Assignment, late: Late, attempts: list[Attempt], decisions: list[Decision], bank: int
) -> Mark:
    made = partial(Mark, student, assignment.name, maximum=assignment.points)
    if excuses := [d.reason for d in decisions if d.kind == "excused"]:
        return made(state="excused", steps=_running([("excused", excuses[0], 0.0)]))
    change = sum((d.value for d in decisions if d.kind == "adjustment"), 0.0)
    made = partial(made, adjustment=change)
    if not attempts:
        steps = _running([("nothing handed in", "", 0.0), *_adjustments(decisions)])
        by_hand = any(d.kind == "adjustment" for d in decisions)  # a person's mark is a mark
        points = policy.rounded(policy.adjusted(0.0, change))
        return made(state="graded" if by_hand else "missing", points=points, steps=steps)
    countable = _countable(attempts, assignment.max_attempts)
    whole = [attempt for attempt in countable if _whole(attempt)]
    if not whole or (assignment.attempts == "last" and whole[-1] is not countable[-1]):
        return made(state="pending", steps=_running([("handed in", "not graded yet", 0.0)]))
    extension = _extension(decisions)
    hours = extension.value if extension else 0.0
    tried = [_tried(attempt, assignment, late, hours, bank) for attempt in whole]
    last = max(attempt.index for attempt in attempts)
    best = chosen(tried, assignment.attempts)
    choice = _choice(assignment, last, [o for o in tried if o.attempt.index != best.attempt.index])
    steps = _running(_lines(best, choice, assignment, late, last, decisions))
    points = policy.rounded(policy.adjusted(best.points, change))
    parts = partial(made, raw=best.raw, bonus=best.bonus, penalty=best.penalty)
    return parts(state="graded", points=points, attempt=best.attempt, bank_used=best.bank, steps=steps)


def chosen(tried: list[Tried], rule: Literal["best", "last"]) -> Tried:
    """The attempt that counts: the last, or the one worth most; of equals, the one that spends fewer late days."""

    def worth(each: Tried) -> tuple[float, int, int]:
        return policy.exact(each.points), -each.bank, -each.attempt.index

    return tried[-1] if rule == "last" else max(tried[::-1], key=worth)  # of one that was collected twice, the later


def _countable(attempts: list[Attempt], most: int) -> list[Attempt]:
    """The first so many attempts; what our own fault keeps from a mark uses up none."""
    counted, numbers = list[Attempt](), set[int]()
    for attempt in attempts:
        if not most or len(numbers) < most or attempt.index in numbers:
            counted.append(attempt)
            numbers |= set() if any(answer.fault for answer in attempt.answers) else {attempt.index}
    return counted


def _extension(decisions: list[Decision]) -> Decision | None:
    """The longest extension: several don't add up."""
    return max((d for d in decisions if d.kind == "extension"), key=lambda d: d.value, default=None)


def _whole(attempt: Attempt) -> bool:
    """Whether every answer has its report: what waits, or failed by our fault, is no attempt yet."""
    return all(answer.report is not None for answer in attempt.answers)


def _tried(attempt: Attempt, assignment: Assignment, late: Late, hours: float, bank: int) -> Tried:
    weights = {int(number): weight for number, weight in assignment.problems.items()}
    reports = {answer.problem: answer.report for answer in attempt.answers if answer.report is not None}
    scores = {number: (report.score, report.max_score) for number, report in reports.items()}
    craft = {number: (r.craft, r.max_craft or 1) for number, r in reports.items() if r.passed}
    craft |= {number: (1, 1) for number, r in reports.items() if r.passed and not r.max_craft}
    raw = policy.weighted(scores, weights, assignment.points)
    bonus = policy.weighted({n: (float(c), float(m)) for n, (c, m) in craft.items()}, weights, assignment.craft_bonus)
    seconds = policy.lateness(attempt.submitted, assignment.due, hours)
    days, left, taken = policy.banked(raw + bonus, assignment.points, seconds, late, bank)
    return Tried(attempt, raw, bonus, left, days, taken)


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _running(lines: Iterable[Line]) -> tuple[Step, ...]:
    """The lines with the mark after each; changes are those of the rounded mark, so that the columns add up."""
    steps, exact, before = list[Step](), 0.0, 0.0
    for what, rule, change in lines:
        exact += change
        after = policy.rounded(max(0.0, exact))
        steps.append(Step(what, rule, policy.rounded(after - before), after))
        before = after
    return tuple(steps)


def _choice(assignment: Assignment, made: int, others: list[Tried]) -> str:
    """By which rule an attempt counts, and what the best of the others that could have counted are worth."""
    which = f"of the first {assignment.max_attempts}" if 0 < assignment.max_attempts < made else "one"
    best = sorted(others, key=lambda tried: tried.points, reverse=True)[:OTHERS]
    worth = ", ".join(f"attempt {tried.attempt.index} with {policy.rounded(tried.points):.2f}" for tried in best)
    return f"the {assignment.attempts} {which} counts" + (f"; others: {worth}" if worth else "")


def _lines(
    tried: Tried, choice: str, assignment: Assignment, late: Late, made: int, decisions: list[Decision]
) -> Iterator[Line]:
    attempt = tried.attempt
    when = _moment(attempt.submitted) if attempt.submitted else "an unknown time, taken as in time"
    yield f"attempt {attempt.index} of {made}, handed in at {when}", choice, 0.0
    yield from _problems(attempt, assignment)
    if tried.bonus:
        yield "craft", f"up to {assignment.craft_bonus:g} on top for right answers that are well made", tried.bonus
    if extension := _extension(decisions):
        yield f"due {extension.value:g} hours later", extension.reason, 0.0
    if tried.bank:
        days = "1 late day" if tried.bank == 1 else f"{tried.bank} late days"
        yield f"{days} taken from the bank", "each makes it 24 hours less late", 0.0
    if tried.penalty:
        yield f"{_length(tried.late)} late", policy.spoken(tried.late, late), -tried.penalty
    yield from _adjustments(decisions)


def _moment(time: datetime) -> str:
    """A time to the minute, or to the second where there are any: a second can make an answer late."""
    return time.isoformat(" ", "seconds" if time.second or time.microsecond else "minutes")


def _length(seconds: float) -> str:
    """A length of time in words, each second that has begun among them, as penalties count: `2 days, 1 second`."""
    minutes, rest = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    units = {"day": days, "hour": hours, "minute": minutes, "second": rest}
    return ", ".join(counted(number, unit) for unit, number in units.items() if number)


def _problems(attempt: Attempt, assignment: Assignment) -> Iterator[Line]:
    total = sum(assignment.problems.values())
    reports = {answer.problem: answer.report for answer in attempt.answers}
    for number, weight in assignment.problems.items():
        report = reports.get(int(number))
        share = policy.weighted({0: (report.score, report.max_score)}, {0: 1.0}, 1.0) if report else 0.0
        told = f"{report.score:g}/{report.max_score:g}" if report else "not handed in"
        rule = f"weight {weight:g} of {total:g}: worth {assignment.points * weight / total:g}"
        yield f"problem {number}: {told}", rule, assignment.points * weight * share / total


def _adjustments(decisions: list[Decision]) -> Iterator[Line]:
    yield from (("adjusted by a person", d.reason, d.value) for d in decisions if d.kind == "adjustment")
