"""results.json by the rules of Gradescope's published specification, restated below; no real Gradescope was asked."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kata import track
from kata.classroom.feedback import feedback
from kata.classroom.marks import marks
from kata.classroom.model import Course, Late
from kata.export.gradescope import results
from kata.model import Error, Report
from tests.classroom.people import STUDENTS, assignment, attempt, finding, report

FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBLE = {"hidden", "after_due_date", "after_published", "visible"}
TOP = {"score", "output", "output_format", "test_output_format", "test_name_format", "visibility", "stdout_visibility"}
TEST = {"score", "max_score", "status", "name", "number", "output", "tags", "visibility"}


def document(root: Path, told: Report, late_hours: float = -1.0) -> dict[str, Any]:
    tried = attempt(1.0, late_hours)
    tried = replace(tried, answers=(replace(tried.answers[0], report=told),))
    (mark, *_) = marks(Course("c", (assignment(),), late=Late("per_day", 0.1)), STUDENTS[:1], [tried], ())
    problems = {7: track.find(root, "7")}
    data = results(mark, feedback(mark, assignment(), problems, {"c" * 64: b"x"}), {7: 1.0})
    return specified(json.loads(data))


def specified(made: dict[str, Any]) -> dict[str, Any]:
    """The document, which must be one that Gradescope takes."""
    assert set(made) <= TOP | {"extra_data", "tests"}
    assert isinstance(made["score"], int | float) and made["output_format"] in FORMATS and made["visibility"] in VISIBLE
    for test in made["tests"]:
        assert set(test) <= TEST
        assert test["status"] in ("passed", "failed") and 0 <= test["score"] <= test["max_score"] + 1e-9
        assert isinstance(test["name"], str) and isinstance(test["number"], str) and test["visibility"] in VISIBLE
        assert all(isinstance(tag, str) for tag in test.get("tags", []))
    return made


@pytest.mark.parametrize("score", [0.0, 3.0, 10.0])
def test_points_add_up(root: Path, score: float) -> None:
    made = document(root, report(score))
    assert made["score"] == score
    assert sum(test["max_score"] for test in made["tests"]) == 10
    assert sum(test["score"] for test in made["tests"]) == score


def test_a_penalty_is_in_the_whole_and_said(root: Path) -> None:
    made = document(root, report(10.0), late_hours=30)
    assert made["score"] == 8.0 and "1 day, 6 hours late" in made["output"]


def test_nothing_of_the_run_and_nothing_rendered(root: Path) -> None:
    wrong = finding(
        "values", message="max error at SECRET", evidence={"call": "SECRET"}, output="SECRET", verdict="failed"
    )
    made = document(root, report(0.0, findings=(wrong,)))
    assert "SECRET" not in json.dumps(made) and made["test_output_format"] == made["test_name_format"] == "text"


def test_a_file_that_could_not_be_judged(root: Path) -> None:
    made = document(root, report(0.0, error=Error("too_large", "is larger than 1 MiB")))
    assert made["score"] == 0 and made["tests"][0]["output"].startswith("is larger than 1 MiB\n")
