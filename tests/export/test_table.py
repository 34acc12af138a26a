"""A row for each student and assignment, in which nothing is a formula."""

import csv
import io

from msgspec.structs import replace

from kata.classroom.marks import marks
from kata.classroom.model import Course
from kata.export.table import HEADER, table
from tests.classroom.people import STUDENTS, assignment, attempt


def test_rows_are_whole_and_numbers_stay_numbers() -> None:
    made = marks(Course("c", (assignment(),)), STUDENTS, [attempt(7.0)], ())
    rows = list(csv.DictReader(io.StringIO(table(made).decode(), newline="")))
    assert len(rows) == 3 and tuple(rows[0]) == HEADER
    assert (rows[0]["student"], rows[0]["score"], rows[0]["max_score"], rows[0]["passed"]) == ("s1", "7.0", "10.0", "0")
    assert rows[0]["submitted_at"] == "2026-10-12T20:59:00+00:00" and rows[0]["sandbox"] == "strict"
    assert (rows[2]["state"], rows[2]["attempt"]) == ("missing", "")
    made = [replace(made[0], raw=7.123456, bonus=0.35, penalty=1 / 3, adjustment=-1.5, points=5.64)]
    (row,) = csv.DictReader(io.StringIO(table(made).decode(), newline=""))
    parts = [row[name] for name in ("raw_score", "craft_bonus", "late_penalty", "adjustment")]
    assert parts == ["7.1235", "0.35", "0.3333", "-1.5"]
    assert "@" not in table(made).decode()


def test_formulas_and_newlines_are_text() -> None:
    (made, *_) = marks(Course("c", (assignment(),)), STUDENTS, [attempt(7.0)], ())
    steps = (replace(made.steps[0], what="=cmd|'/C calc'!A0\r\n,x\u202e"),)
    data = table([replace(made, student="=s1", steps=steps)])
    (row,) = csv.DictReader(io.StringIO(data.decode(), newline=""))
    assert row["student"] == "'=s1" and row["steps"].startswith("'=cmd") and "\u202e" not in row["steps"]
    assert row["state"] == "graded" and None not in row
