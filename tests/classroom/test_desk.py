"""A class's folder: made, copied without people, forgotten one by one."""

import stat
from pathlib import Path

import pytest

from kata.classroom import desk, out
from kata.classroom.desk import Desk
from kata.errors import KataError
from tests.classroom.people import RIGHT, class_folder, hand_in


def test_a_new_class_is_private_and_never_overwritten(tmp_path: Path) -> None:
    desk.init(tmp_path / "new", None)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    with pytest.raises(KataError, match="holds a class already"):
        desk.init(tmp_path / "new", None)


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
