"""examples/classroom gives the marks that expected.csv says, and what leaves the class harms and tells nobody."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from kata.classroom import out
from kata.classroom.desk import Desk
from kata.commands.classroom import command
from tests.classroom.class_of import EXAMPLE, expected, got, graded
from tests.classroom.hostile import hand_in_everything


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return graded(tmp_path_factory.mktemp("example") / "class")


def written(room: Path, format: str, path: Path, **more: object) -> out.Written:
    with Desk(str(room)) as at:
        return out.export(at, format, at.room.assignment(None), path, more.get("template"), "")  # type: ignore[arg-type]


def test_everybody_gets_the_mark_that_is_due(room: Path) -> None:
    assert got(room) == expected()


def test_misconceptions_are_named(room: Path) -> None:
    named = {path.parent.name: path for path in (EXAMPLE / "submissions").rglob("*.py")}
    assert len(named) >= 35
    with Desk(str(room)) as at:
        found = {
            m.student: {d.name for a in m.attempt.answers if a.report for d in a.report.diagnoses}
            for m in at.marks()
            if m.attempt
        }
    assert "window_plus_one" in found["1005"] and "interleaved" in found["1003"] and "two_sided" in found["1008"]
    assert found["1001"] == set() and "inverted" in found["1013"]


def test_canvas_gets_one_column(room: Path, tmp_path: Path) -> None:
    told = written(room, "canvas", tmp_path / "c.csv", template=EXAMPLE / "canvas.csv").filled
    assert told is not None and told.filled == 41 and told.unmatched == ("Absent, Alex", "Student, Test")
    before = list(csv.reader(io.StringIO((EXAMPLE / "canvas.csv").read_text("utf-8"), newline="")))
    after = list(csv.reader(io.StringIO((tmp_path / "c.csv").read_text("utf-8"), newline="")))
    changed = {(i, j) for i, row in enumerate(after) for j, cell in enumerate(row) if cell != before[i][j]}
    assert {j for _, j in changed} == {6} and len(changed) == 41
    marks = expected()
    assert all(row[6] == marks[row[2]][1] for row in after[2:-1] if row[6] not in ("", "EX"))


def test_moodle_gets_its_grades(room: Path, tmp_path: Path) -> None:
    told = written(room, "moodle", tmp_path / "m.csv", template=EXAMPLE / "moodle.csv").filled
    assert told is not None and told.filled == 39
    assert sorted(told.refused) == [
        "1006: Moodle says that the grade can't be changed",
        "1042: Moodle takes no EX in a worksheet",
    ]


@pytest.mark.parametrize("format", ["csv", "jsonl", "junit"])
def test_no_export_tells_seeds_mails_or_places(room: Path, tmp_path: Path, format: str) -> None:
    written(room, format, tmp_path / "out")
    text = (tmp_path / "out").read_text("utf-8")
    assert "@students.example" not in text and str(room) not in text and str(EXAMPLE) not in text
    with Desk(str(room)) as at:
        assert at.book.seed not in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text.replace("\r\n", "\n"))


def test_feedback_tells_no_inputs_and_no_output(room: Path, tmp_path: Path) -> None:
    told = written(room, "feedback", tmp_path / "fb")
    assert len(told.paths) == 2 * 41  # all but the one who handed nothing in
    leak = (tmp_path / "fb" / "1039.md").read_text("utf-8")
    assert "  - ValueError\n" in leak and "the inputs were \\{q" in leak  # their line, not what it came to
    assert "AAAA" not in leak
    script = (tmp_path / "fb" / "1033.html").read_text("utf-8")
    assert "<img" not in script and "<script" not in script and "owned" not in script
    with Desk(str(room)) as at:
        calls = {
            str(f.evidence.get("call"))
            for m in at.marks()
            if m.attempt
            for a in m.attempt.answers
            if a.report
            for f in a.report.findings
        }
    text = "".join(path.read_text("utf-8") for path in told.paths)
    assert len(calls) > 5 and not any(call in text for call in calls - {"None"})


def test_gradescope_documents_are_whole(room: Path, tmp_path: Path) -> None:
    assert written(room, "gradescope", tmp_path / "gs").older == ()
    (tmp_path / "gs" / "1042.json").write_text("{}")  # of a day on which 1042 was not yet excused
    told = written(room, "gradescope", tmp_path / "gs")
    assert told.older == ("1042.json",)
    assert told.without == ("1041 (nothing handed in)", "1042 (excused)")  # a 0 would be a mark
    assert {path.stem for path in told.paths} == {id for id, (state, _) in expected().items() if state == "graded"}
    for path in told.paths:
        made = json.loads(path.read_text("utf-8"))
        assert made["score"] == float(expected()[path.stem][1])
        assert round(sum(test["max_score"] for test in made["tests"]), 2) == 10.0


def test_the_report_shows_no_name_where_none_is_wanted(room: Path, tmp_path: Path) -> None:
    with Desk(str(room)) as at:
        out.report(at, tmp_path / "r.html", anonymous=True, with_code=False)
        people = at.roster.students
    text = (tmp_path / "r.html").read_text("utf-8")
    assert not any(s.name and s.name in text for s in people) and not any(f">{s.id}<" in text for s in people)
    assert "window plus one" in text


def test_explain_says_how_a_mark_came_about(
    room: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "110")
    command.main(["explain", "leriksen", "-C", str(room)], standalone_mode=False)
    text = capsys.readouterr().out
    assert "week-3: 3.15 of 10 points" in text and re.search(r"what +rule +change +mark so far", text)
    for row in (
        r"problem 4: 10/10 .*\+5.00 +5.00",
        r"1 late day taken .* 5.25",
        r"1 day, 12 hours, 1 minute .*−2.10 +3.15",
    ):
        assert re.search(row, text), row
    command.main(["explain", "hweiss", "-C", str(room)], standalone_mode=False)
    assert re.search("due 48 hours later +ill; a note is on file", capsys.readouterr().out)


@pytest.mark.slow
def test_a_hostile_class_changes_nobody_elses_mark(room: Path, tmp_path: Path) -> None:
    """Every hostile file and folder beside the honest ones: their marks stay, and each trouble is named."""
    submissions = hand_in_everything(EXAMPLE / "submissions", tmp_path / "in")
    other = graded(tmp_path / "class", submissions)
    assert got(other) == expected()
