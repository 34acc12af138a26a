"""A plain CSV: a row for each student and assignment."""

import csv
import io
from collections.abc import Iterable, Sequence

from kata.classroom.model import Mark
from kata.export.neutral import cell

DECIMALS = 4  # of what a mark is made of; the mark itself has two
HEADER = (
    "assignment",
    "student",
    "state",
    "attempt",
    "submitted_at",
    "raw_score",
    "craft_bonus",
    "late_penalty",
    "adjustment",
    "score",
    "max_score",
    "passed",
    "problems",
    "sandbox",
    "steps",
)


def table(marks: Iterable[Mark]) -> bytes:
    """The marks as CSV; text cells can hold no formula, numbers stay numbers."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(HEADER)
    writer.writerows(map(_row, marks))
    return text.getvalue().encode()


def _row(mark: Mark) -> Sequence[object]:
    attempt = mark.attempt
    answers = attempt.answers if attempt else ()
    reports = [answer.report for answer in answers if answer.report]
    return (
        cell(mark.assignment),
        cell(mark.student),
        mark.state,
        attempt.index if attempt else "",
        attempt.submitted.isoformat() if attempt and attempt.submitted else "",
        "" if mark.raw is None else round(mark.raw, DECIMALS),
        *(round(part, DECIMALS) for part in (mark.bonus, mark.penalty, mark.adjustment)),
        "" if mark.points is None else mark.points,
        mark.maximum,
        sum(report.passed for report in reports),
        len(reports),
        " ".join(sorted({report.sandbox for report in reports})),
        cell("; ".join(step.text for step in mark.steps)),
    )
