"""What the classroom's commands show, line by line."""

import pytest

from kata.classroom.model import Collected, Mark, Note, Step
from kata.classroom.out import Written
from kata.classroom.regrade import Moved
from kata.screen import classroom

LONG = "defines window_mask, which is near sliding_window_mask and not the same, so that nothing was taken from it"


@pytest.fixture(autouse=True)
def width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def shown(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The printed lines without blanks at their ends."""
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_a_note_that_is_long_stands_below_its_path(capsys: pytest.CaptureFixture[str]) -> None:
    notes = (Note("ignored", "ana/a.py", "is short"), Note("ignored", "bob/b.py", LONG))
    classroom.collected(Collected("folders", (), notes))
    assert shown(capsys) == [
        "Submissions of 0 students found (layout: folders).",
        "Nothing new is judged. Put right what is listed here, and run the same command",
        "again.",
        "  left aside: 2",
        "    ana/a.py  is short",
        "    bob/b.py",
        "        defines window_mask, which is near sliding_window_mask and not the same,",
        "        so that nothing was taken from it",
    ]


def test_a_mark_is_explained_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    steps = (Step("problem 4: 3/4", "weight 1 of 1: worth 10", 7.5, 7.5), Step("late", "half", -3.75, 3.75))
    classroom.explained([Mark("s1", "masks", "graded", 10.0, 3.75, steps=steps)], {})
    assert shown(capsys) == [
        "masks: 3.75 of 10 points",
        "  what            rule                     change  mark so far",
        "  problem 4: 3/4  weight 1 of 1: worth 10   +7.50         7.50",
        "  late            half                      −3.75         3.75",
    ]


def test_many_points_are_told_to_the_last_hundredth(capsys: pytest.CaptureFixture[str]) -> None:
    classroom.explained([Mark("s1", "masks", "graded", 20000.0, 12345.67), Mark("s1", "loss", "graded", 10.0, 7.5)], {})
    classroom.moved((Moved("s1", "masks", 12345.67, 100.0, ()),), False, "")
    text = "\n".join(shown(capsys))
    assert "masks: 12345.67 of 20000 points" in text and "loss: 7.5 of 10 points" in text
    assert "masks       12345.67  100" in text


def test_a_mark_that_waits_has_no_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    steps = (Step("handed in", "not graded yet", 0.0, 0.0),)
    classroom.explained([Mark("s1", "masks", "pending", 10.0, steps=steps)], {})
    assert shown(capsys)[0::2] == ["masks: pending", "  handed in  not graded yet"]


def test_the_next_command_finds_the_same_class(capsys: pytest.CaptureFixture[str]) -> None:
    again = "-C /a/folder/with/a/name/that/is/longer/than/a/line/of/this/terminal"
    classroom.stale(2, again)
    classroom.moved((), True, again)
    classroom.moved((Moved("s1", "masks", 1.0, 2.0, ("why",)),), False, again)
    assert shown(capsys) == [
        f"2 results stand on another basis (version, limits or seed): kata classroom regrade --dry-run {again}",
        f"0 marks would move; nothing was changed. Next: kata classroom regrade {again}",
        "student  assignment  before  after  why",
        "s1       masks       1       2      why",
        "1 mark moved.",
    ]


def test_who_gets_no_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    classroom.written(Written((), without=("s1 (excused)", "s2 (nothing handed in)"), older=("s1.json",)))
    assert shown(capsys) == [
        "Wrote 0 files.",
        "  no file for: s1 (excused); s2 (nothing handed in)",
        "  in that folder from before, and not written now: s1.json",
    ]
