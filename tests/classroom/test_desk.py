"""A class's folder: made, copied without people, forgotten one by one."""

import shutil
import stat
from pathlib import Path

import pytest

from kata.classroom import desk, grade, out
from kata.classroom.desk import Desk
from kata.classroom.gradebook import content
from kata.classroom.keys import Basis
from kata.classroom.model import Answer, Delivery, Note
from kata.errors import KataError
from kata.model import Limits
from tests.classroom.people import RIGHT, class_folder, hand_in


def test_a_new_class_is_private_and_never_overwritten(tmp_path: Path) -> None:
    desk.init(tmp_path / "new", None)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    with pytest.raises(KataError, match="holds a class already"):
        desk.init(tmp_path / "new", None)


MADE = ("course.toml", "roster.csv", "decisions.csv", "gradebook.db")


@pytest.mark.parametrize("stopped", range(4))
def test_what_was_stopped_halfway_is_finished(tmp_path: Path, stopped: int) -> None:
    """A crash before any of the files; so is a roster that a person laid there first."""
    whole, half = tmp_path / "whole", tmp_path / "half"
    desk.init(whole, None)
    half.mkdir()
    for name in MADE[:stopped]:
        shutil.copyfile(whole / name, half / name)
    (half / "roster.csv").write_text("id\nmine\n")
    desk.init(half, None)
    with Desk(str(half)) as at:
        assert [student.id for student in at.roster.students] == ["mine"] and at.book.seed
    assert {path.name for path in half.iterdir()} >= {*MADE}


def test_a_policy_that_is_there_is_not_taken_for_the_old_classs(tmp_path: Path) -> None:
    old = class_folder(tmp_path)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "course.toml").write_text("mine")
    with pytest.raises(KataError, match="is not the one of"):
        desk.init(tmp_path / "new", old)
    shutil.copyfile(old / "course.toml", tmp_path / "new" / "course.toml")
    desk.init(tmp_path / "new", old)


def test_nobody_is_forgotten_while_answers_are_judged(tmp_path: Path) -> None:
    with Desk(str(class_folder(tmp_path))) as at, grade.alone(at.folder):
        with pytest.raises(KataError, match="Another kata command is grading"):
            at.forget(at.student("ana"))
        assert at.student("ana")


def test_from_an_old_class_come_policy_and_nobody(tmp_path: Path) -> None:
    old = class_folder(tmp_path)
    (old / "decisions.csv").write_text("student,assignment,kind,value,reason\ns1,week-1,excused,,ill\n")
    desk.init(tmp_path / "new", old)
    assert (tmp_path / "new" / "course.toml").read_text() == (old / "course.toml").read_text()
    with Desk(str(old)) as one, Desk(str(tmp_path / "new")) as other:
        assert one.book.seed != other.book.seed
        assert other.roster.students == () and other.decisions == () and other.book.held() == []


def test_from_something_that_is_no_class(tmp_path: Path) -> None:
    with pytest.raises(KataError, match=r"course.toml can't be read"):
        desk.init(tmp_path / "new", tmp_path)
    assert not (tmp_path / "new").exists()


def test_a_student_is_meant_or_said_to_be_nobody(tmp_path: Path) -> None:
    with Desk(str(class_folder(tmp_path))) as at:
        assert at.student("bob@x.example").id == "s2"
        with pytest.raises(KataError, match="'zed' is nobody in the roster"):
            at.student("zed")


def test_a_folder_that_can_not_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with Desk(str(class_folder(tmp_path))) as at:
        at.take(hand_in(tmp_path / "in", ana=RIGHT), at.room.assignment(None), None, None)
        for _ in at.grade(at.room.assignment(None), "process", 1):
            pass
        with pytest.raises(KataError, match=r"file can't be made: File exists\. feedback is a file for each student"):
            out.export(at, "feedback", at.room.assignment(None), tmp_path / "file", None, "")


def test_forgetting_leaves_the_others(tmp_path: Path) -> None:
    room = class_folder(tmp_path)
    (room / "decisions.csv").write_text(
        'student,assignment,kind,value,reason\r\ns1,week-1,excused,,ill\r\ns2,week-1,adjustment,1,"a, b"\r\n'
    )
    with Desk(str(room)) as at:
        at.take(hand_in(tmp_path / "in", ana=RIGHT, bob=RIGHT), at.room.assignment(None), None, None)
        assert at.forget(at.student("ana")) == 1
    with Desk(str(room)) as at:
        assert [s.id for s in at.roster.students] == ["s2", "s3"]
        assert [d.reason for d in at.decisions] == ["a, b"]
        assert [held.student for held in at.book.held()] == ["s2"]
    assert not any(word in path.read_bytes() for path in room.iterdir() for word in (b"ana@x", b"nicode"))


def test_a_time_that_becomes_another_is_told(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", ana=RIGHT)
    with Desk(str(class_folder(tmp_path))) as at:
        asked, told = at.room.assignment(None), []
        for time in ("2026-10-12T09:00:00Z", "2026-10-12T11:00:00+02:00", "2026-10-14T09:00:00Z"):
            (tmp_path / "times.csv").write_text(f"student,submitted\nana,{time}\n")
            told.append(at.take(folder, asked, str(tmp_path / "times.csv"), None).notes)
        told.append(at.take(folder, asked, None, None).notes)
    text = "was 2026-10-12 11:00:00+02:00, and from now on counts as 2026-10-14 09:00:00+00:00"
    assert told == [(), (), (Note("again", "s1", text),), ()]


def test_a_fault_in_a_problem_that_the_course_dropped_is_nobodys_worry(tmp_path: Path) -> None:
    answers = (Answer(7, "07.py", b"seven"), Answer(8, "08.py", b"eight"))
    with Desk(str(class_folder(tmp_path))) as at:
        at.book.deliver([Delivery("s1", "week-1", answers)])
        for answer in answers:
            at.book.blame(Basis(answer.problem, 1, 1, Limits(), "0", "2", "strict"), content(answer), "a traceback")
        assert at.faults() == [("s1", "week-1, problem 7: a traceback")]
