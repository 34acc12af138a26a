"""Grading a class: refused below the accepted level, resumed, and the same for all who hand in the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kata.classroom import crowd, grade
from kata.classroom import desk as desks
from kata.classroom.crowd import Outcome, Work
from kata.classroom.desk import Desk
from kata.errors import KataError, OwnFault
from kata.model import Level
from kata.zygote.launch import Engine
from tests.classroom.people import COURSE, RIGHT, WRONG, class_folder, hand_in


@pytest.mark.parametrize(("accepted", "here"), [("strict", "seccomp"), ("strict", "process"), ("seccomp", "process")])
def test_weaker_than_accepted_is_refused(accepted: Level, here: Level) -> None:
    with pytest.raises(KataError, match=f"--accept {here}"):
        grade.check_level(accepted, here)
    grade.check_level(here, accepted)


def test_nothing_is_run_below_the_accepted_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = class_folder(tmp_path, COURSE.replace('"process"', '"strict"'))
    monkeypatch.setattr(desks, "available", lambda: "process")
    monkeypatch.setattr(crowd, "run", lambda *_: pytest.fail("code was run"))
    with Desk(str(room)) as at:
        at.take(hand_in(tmp_path / "in", ana=RIGHT), at.room.assignment(None), None, None)
        with pytest.raises(KataError, match="accepts nothing weaker than the sandbox strict"):
            list(at.grade(at.room.assignment(None), None, 1))


def test_a_class_is_graded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = class_folder(tmp_path)
    source = hand_in(tmp_path / "in", ana=RIGHT, bob=WRONG, cy=RIGHT)
    judged: list[str] = []
    run = crowd.run

    def noted(work: list[Work], judges: int, engine: Engine | None) -> Iterator[Outcome]:
        judged.extend(each.key for each in work)
        return run(work, judges, engine)

    monkeypatch.setattr(crowd, "run", noted)
    with Desk(str(room)) as at:
        asked = at.room.assignment(None)
        for _ in range(2):
            at.take(source, asked, None, None)
            last = list(at.grade(asked, None, 2))[-1:]
        assert last == [] and len(judged) == 2  # ana and cy handed in the same
        assert {m.student: m.points for m in at.marks()} == {"s1": 10.0, "s2": 0.0, "s3": 10.0}
        report = next(m for m in at.marks() if m.student == "s2").attempt.answers[0].report  # type: ignore[union-attr]
        assert report is not None and [d.name for d in report.diagnoses] == ["not_doubled"]
        assert report.seed is None and report.submission.path == ""


def test_a_fault_of_ours_is_told_apart_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = class_folder(tmp_path)
    run = crowd.run
    with Desk(str(room)) as at:
        asked = at.room.assignment(None)
        at.take(hand_in(tmp_path / "in", ana=RIGHT), asked, None, None)
        monkeypatch.setattr(crowd, "run", lambda work, *_: iter([Outcome(w, None, OwnFault("lost")) for w in work]))
        assert list(at.grade(asked, None, 1))[-1].faults == 1
        assert [m.state for m in at.marks()] == ["pending", "missing", "missing"]
        assert at.faults()[0][0] == "s1" and "our own fault" in at.faults()[0][1]
        monkeypatch.setattr(crowd, "run", run)
        assert list(at.grade(asked, None, 1))[-1].faults == 0
        assert at.faults() == [] and at.marks()[0].points == 10.0


def test_sleepers_hold_nobody_up(tmp_path: Path) -> None:
    """Ten answers that sleep in every call among ten honest ones: each is given up after its own seconds."""
    sleeper = RIGHT.replace(b"    if", b"    import time; time.sleep(10**6)\n    if")
    roster = "id\n" + "".join(f"u{n}\n" for n in range(20))
    limits = "limits = {{ wall_seconds = 1000, submission_seconds = 2 }}\n"
    room = class_folder(tmp_path, COURSE + limits, roster)
    source = {f"u{n}": (sleeper if n % 2 else RIGHT) + f"# {n}\n".encode() for n in range(20)}
    with Desk(str(room)) as at:
        asked = at.room.assignment(None)
        at.take(hand_in(tmp_path / "in", **source), asked, None, None)
        assert list(at.grade(asked, None, 2))[-1] == grade.Progress(20, 20, 0)
        marks = at.marks()
        assert [m.points for m in marks] == [10.0, 0.0] * 10
        slept = [a.report for m in marks[1::2] if m.attempt for a in m.attempt.answers if a.report]
        findings = [finding for told in slept for finding in told.findings]
        assert len(slept) == 10 and {finding.verdict for finding in findings} == {"timed_out"}
        assert all("2 seconds, which is as long as one submission may take" in found.message for found in findings)


def test_one_command_at_a_time(tmp_path: Path) -> None:
    room = class_folder(tmp_path)
    with grade.alone(room), pytest.raises(KataError, match="Another kata command"), grade.alone(room):
        pass
    with grade.alone(room):
        pass
