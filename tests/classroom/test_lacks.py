"""Whatever lacks, a command says so in a sentence with what to type next, and writes nothing."""

from pathlib import Path

import pytest

from kata.classroom import crowd
from kata.classroom.crowd import Outcome
from kata.classroom.desk import Desk
from kata.commands.classroom import command
from kata.errors import KataError, OwnFault
from tests.classroom.people import RIGHT, class_folder, hand_in

NOBODY = "id,name,email,login,other\n"
EXPORTS = [["export", name, "-o", "out"] for name in ("csv", "jsonl", "junit", "gradescope", "feedback", "canvas")]
LEAVE = [["report", "-o", "out"], *EXPORTS]
ASK = [["explain", "ana"], ["forget", "ana", "--yes"]]


def run(*words: str, room: Path) -> object:
    """Runs a command of the classroom, and returns its exit code."""
    return command.main([*words, "-C", str(room)], standalone_mode=False)


@pytest.mark.parametrize("words", [["grade", "in"], ["grade"], *LEAVE, *ASK], ids=" ".join)
def test_an_empty_roster(tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    hand_in(tmp_path / "in", ana=RIGHT)
    room = class_folder(tmp_path, roster=NOBODY)
    with pytest.raises(
        KataError, match=r"roster.csv names nobody yet. Give it one line for each student.*run the same"
    ):
        run(*words, room=room)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words", [["regrade"], *LEAVE], ids=" ".join)
def test_nothing_handed_in(tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    room = class_folder(tmp_path)
    said = f"Nothing was handed in for week-1 yet. First: kata classroom grade SUBMISSIONS -C {room}"
    with pytest.raises(KataError, match=said):
        run(*words, room=room)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words", EXPORTS, ids=" ".join)
def test_handed_in_and_not_graded(tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    room = class_folder(tmp_path)
    monkeypatch.setattr(crowd, "run", lambda work, *_: iter([Outcome(w, None, OwnFault("lost")) for w in work]))
    assert run("grade", str(hand_in(tmp_path / "in", ana=RIGHT)), room=room) == 3
    said = rf"Nothing is graded yet of what 1 student handed in for week-1. First: kata classroom grade -C {room}"
    with pytest.raises(KataError, match=said):
        run(*words, room=room)
    assert not (tmp_path / "out").exists()


def test_a_report_of_nothing_but_faults_says_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    room = class_folder(tmp_path)
    monkeypatch.setattr(crowd, "run", lambda work, *_: iter([Outcome(w, None, OwnFault("lost")) for w in work]))
    run("grade", str(hand_in(tmp_path / "in", ana=RIGHT)), room=room)
    run("report", "-o", "out", room=room)
    assert "Our own faults" in (tmp_path / "out").read_text("utf-8")


def test_nothing_to_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    room = class_folder(tmp_path)
    run("grade", room=room)
    told = " ".join(capsys.readouterr().out.split())
    assert told == f"Nothing was handed in for week-1 yet. Next: kata classroom grade SUBMISSIONS -C {room}"
    run("grade", str(hand_in(tmp_path / "in", zed=RIGHT, yan=RIGHT)), room=room)
    told = " ".join(capsys.readouterr().out.split())
    assert "Submissions of 0 students found" in told and "Put right what is listed here" in told
    assert "zed nobody in the roster" in told and "0 of 0" not in told


def test_all_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    room = class_folder(tmp_path)
    run("grade", str(hand_in(tmp_path / "in", ana=RIGHT)), room=room)
    capsys.readouterr()
    run("grade", room=room)
    told = " ".join(capsys.readouterr().out.split())
    assert told == (
        f"Everything that was handed in for week-1 is judged already (1 answer). Next: kata classroom report -C {room}"
    )
    run("regrade", room=room)
    assert capsys.readouterr().out.startswith("Every result stands on today's versions, limits and seed")


def renamed(room: Path, what: str) -> None:
    """A student or an assignment gets another name, when answers are held under the old one."""
    file, old, new = ("roster.csv", "s1,", "s9,") if what == "student" else ("course.toml", '"week-1"', '"week-9"')
    (room / file).write_text((room / file).read_text("utf-8").replace(old, new), "utf-8")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("student", "of 1 student not in roster.csv (s1)"),
        ("assignment", "of 1 assignment not in course.toml (week-1)"),
    ],
)
def test_answers_that_count_for_nobody_are_told(
    tmp_path: Path, what: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    room = class_folder(tmp_path)
    with Desk(str(room)) as at:
        at.take(hand_in(tmp_path / "in", ana=RIGHT, bob=RIGHT), at.room.assignment(None), None, None)
        assert at.unclaimed() == ""
    renamed(room, what)
    with Desk(str(room)) as at:
        assert said in at.unclaimed()
    for words in (["report"], ["export", "csv"]):
        with pytest.raises(KataError, match="Nothing"):
            run(*words, "-o", str(tmp_path / "out"), room=room)
        assert said in " ".join(capsys.readouterr().out.split())


def test_who_left_the_roster_can_be_forgotten(tmp_path: Path) -> None:
    room = class_folder(tmp_path)
    with Desk(str(room)) as at:
        at.take(hand_in(tmp_path / "in", ana=RIGHT, bob=RIGHT), at.room.assignment(None), None, None)
    renamed(room, "student")
    run("forget", "s1", "--yes", room=room)
    with Desk(str(room)) as at:
        assert [held.student for held in at.book.held()] == ["s2"] and at.unclaimed() == ""
        assert [student.id for student in at.roster.students] == ["s9", "s2", "s3"]
    with pytest.raises(KataError, match="'s1' is nobody in the roster"):
        run("forget", "s1", "--yes", room=room)
