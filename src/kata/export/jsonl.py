"""JSON lines: one object for each student and assignment, with the reports of the attempt that counts."""

from collections.abc import Iterable

import msgspec

from kata.classroom.model import Mark
from kata.export.table import DECIMALS


def jsonl(marks: Iterable[Mark]) -> bytes:
    """The marks as JSON lines; no seed, no address, no e-mail is in a report."""
    return b"".join(msgspec.json.encode(_line(mark)) + b"\n" for mark in marks)


def _line(mark: Mark) -> dict[str, object]:
    attempt = mark.attempt
    return {
        "schema": "kata.mark/1",
        "assignment": mark.assignment,
        "student": mark.student,
        "state": mark.state,
        "attempt": attempt.index if attempt else None,
        "submitted_at": attempt.submitted if attempt else None,
        "raw_score": None if mark.raw is None else round(mark.raw, DECIMALS),
        "craft_bonus": round(mark.bonus, DECIMALS),
        "late_penalty": round(mark.penalty, DECIMALS),
        "adjustment": round(mark.adjustment, DECIMALS),
        "score": mark.points,
        "max_score": mark.maximum,
        "steps": [step.text for step in mark.steps],
        "reports": [answer.report for answer in attempt.answers if answer.report] if attempt else [],
    }
