"""Gradescope's results.json for one submission: a test for each check, texts rendered as plain text."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from kata.classroom.feedback import Feedback, Line, Part
from kata.classroom.model import Mark
from kata.words import harmless

TEST_CAP = 8 * 1024


def results(mark: Mark, told: Feedback, weights: dict[int, float]) -> bytes:
    """The document; it tells what the student's feedback tells, and nothing else."""
    total = sum(weights.values()) or 1.0
    tests = [t for part in told.parts for t in _tests(part, mark.maximum * weights[part.number] / total, mark)]
    document: dict[str, Any] = {
        "score": mark.points or 0.0,
        "output": harmless("\n".join(told.steps), TEST_CAP),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"state": mark.state, "attempt": told.attempt},
        "tests": tests,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def _tests(part: Part, worth: float, mark: Mark) -> Sequence[dict[str, Any]]:
    """One test carries the points of the problem, so that the sum is the assignment's; the checks explain it."""
    earned = re.fullmatch(r"(.+)/(.+)", part.score)
    share = float(earned[1]) / float(earned[2]) if earned and float(earned[2]) else 0.0
    text = [part.error, *(f"{name}: {text}" for name, text in part.diagnoses)]
    whole = {
        "name": harmless(f"{part.number} {part.title}", 200),
        "number": str(part.number),
        "score": worth * share,
        "max_score": worth,  # not rounded: they must add up to the assignment's points
        "status": "passed" if share >= 1 else "failed",
        "output": harmless("\n\n".join(filter(None, text)), TEST_CAP),
        "visibility": "visible",
    }
    return [whole, *(_check(part, line, n) for n, line in enumerate(part.lines, 1))]


def _check(part: Part, line: Line, index: int) -> dict[str, Any]:
    text = [line.verdict, line.error, *(f"line {number}: {code}" for number, code in line.code)]
    return {
        "name": harmless(line.promise, 300),
        "number": f"{part.number}.{index}",
        "score": 0.0,
        "max_score": 0.0,
        "status": "passed" if line.passed else "failed",
        "output": harmless("\n".join(filter(None, text)), TEST_CAP),
        "tags": ["craft" if line.craft else "required"],
        "visibility": "visible",
    }
