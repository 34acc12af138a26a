"""Whatever lacks, a command says so in a sentence with what to type next, and writes nothing."""

from pathlib import Path

import pytest

from kata.classroom import crowd
from kata.classroom.crowd import Outcome
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
    monkeypatch.setattr(crowd, "run", lambda work, _: iter([Outcome(w, None, OwnFault("lost")) for w in work]))
    assert run("grade", str(hand_in(tmp_path / "in", ana=RIGHT)), room=room) == 3
    said = rf"Nothing is graded yet of what 1 student handed in for week-1. First: kata classroom grade -C {room}"
    with pytest.raises(KataError, match=said):
        run(*words, room=room)
    assert not (tmp_path / "out").exists()


def test_a_report_of_nothing_but_faults_says_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    room = class_folder(tmp_path)
    monkeypatch.setattr(crowd, "run", lambda work, _: iter([Outcome(w, None, OwnFault("lost")) for w in work]))
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
