"""One JSON object a line, whose reports are those of the published schema."""

import json

import msgspec

from kata.classroom.marks import marks
from kata.classroom.model import Course
from kata.export.jsonl import jsonl
from kata.model import Report
from tests.classroom.people import STUDENTS, assignment, attempt


def test_lines_are_objects_with_whole_reports() -> None:
    made = marks(Course("c", (assignment(),)), STUDENTS, [attempt(7.0)], ())
    lines = jsonl(made).splitlines()
    first, *_, last = map(json.loads, lines)
    assert len(lines) == 3 and first["schema"] == "kata.mark/1" and first["score"] == 7.0
    assert msgspec.convert(first["reports"][0], Report).seed is None
    assert (last["state"], last["reports"], last["attempt"]) == ("missing", [], None)
    assert [first[name] for name in ("raw_score", "craft_bonus", "late_penalty", "adjustment")] == [7.0, 0.0, 0.0, 0.0]
    assert "@" not in jsonl(made).decode()
