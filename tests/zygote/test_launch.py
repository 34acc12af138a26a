"""Engines: several jobs, orders given up half-way, judges that die, and what the user can put right."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from kata.errors import KataError, OwnFault
from kata.model import Job, Report, Submission
from kata.zygote.events import Begun, Done, Found, Grade, Row, Verified
from kata.zygote.launch import Engine
from tests import tiny
from tests.real import Process, family, until

WRONG = tiny.ANSWER.replace("2 * x", "x")


def job(root: Path, text: str = tiny.ANSWER, number: int = 7, only: tuple[str, ...] = (), seed: int = 0) -> Job:
    return Job(str(root), number, Submission("mine.py", text.encode()), seed, only)


def processes(engine: Engine) -> list[Process]:
    """Everyone behind an engine, in the order in which they were started."""
    [first] = engine._processes
    found: list[Process] = []
    for pid in sorted(family(first.pid)):
        with contextlib.suppress(OSError):  # a learner's child that has just ended
            found.append(Process(pid))
    return found


def test_events_come_in_order(engine: Engine, root: Path) -> None:
    events = list(engine.grade(job(root)))
    assert events[0] == Begun(7, 6)
    findings = [event.finding for event in events if isinstance(event, Found)]
    assert [f.check for f in findings] == ["keeps_the_shape", "values", "gradient", "refuses", "half", "hands_off"]
    assert isinstance(events[-1], Done) and events[-1].report.findings == tuple(findings)


def test_who_waits_for_the_report_alone_is_sent_nothing_else(engine: Engine, root: Path) -> None:
    live, report = list(engine.grade(job(root, WRONG))), list(engine.first._grade(Grade(job(root, WRONG), live=False)))
    assert [type(event) for event in report] == [Done] and len(live) == 8
    same = [
        replace(events[-1].report, seconds=0.0, findings=())
        for events in (live, report)
        if isinstance(events[-1], Done)
    ]
    assert same[0] == same[1]


def test_one_engine_judges_one_after_the_other(engine: Engine, root: Path) -> None:
    reports = [engine.report(job(root, text)) for text in (tiny.ANSWER, WRONG, "def f(:", tiny.ANSWER)]
    assert [r.passed for r in reports] == [True, False, False, True]
    assert reports[1].diagnoses[0].name == "not_doubled"


def test_an_order_that_is_given_up_does_not_answer_the_next(engine: Engine, root: Path) -> None:
    events = engine.grade(job(root, WRONG))
    assert isinstance(next(events), Begun) and isinstance(next(events), Found)
    del events
    assert engine.report(job(root)).passed
    rows = engine.verify(str(root), 7, 1)
    assert isinstance(next(rows), Row)
    del rows
    assert not engine.report(job(root, WRONG)).passed


def test_verification_ends_with_a_verdict(engine: Engine, root: Path) -> None:
    rows = list(engine.verify(str(root), 7, 1))
    assert isinstance(rows[-1], Verified) and rows[-1].number == 7
    assert all(row.ok for row in rows if isinstance(row, Row))


def test_what_the_user_can_put_right_leaves_the_judge_alive(engine: Engine, root: Path) -> None:
    for order, text in (
        (job(root, only=("value",)), "There is no check value; this problem has keeps_the_shape, values, "),
        (job(root, number=8), "There is no problem “8”. `kata list"),
    ):
        with pytest.raises(KataError) as wrong:
            engine.report(order)
        assert str(wrong.value).startswith(text)
    assert engine.report(job(root)).passed


def test_a_bug_in_a_grader_is_our_own_fault_and_leaves_the_judge_alive(
    engine: Engine, root: Path, tmp_path: Path
) -> None:
    broken = tiny.GRADER.replace("if reply.changed:", "if 1 / 0:")
    tiny.write(tmp_path, grader=broken)
    with pytest.raises(OwnFault) as fault:
        engine.report(job(tmp_path))
    assert "ZeroDivisionError" in str(fault.value)
    assert (
        str(fault.value)
        .strip()
        .splitlines()[-1]
        .endswith("the check hands_off of 07_double_and_shift raised an error of its own")
    )
    assert engine.report(job(root)).passed


def test_a_grader_that_cannot_be_read_is_for_its_author_to_mend(engine: Engine, tmp_path: Path) -> None:
    tiny.write(tmp_path, grader=tiny.GRADER + "\n1 / 0\n")
    with pytest.raises(KataError, match=r"07_double_and_shift\.py, line \d+: ZeroDivisionError: division by zero"):
        engine.report(job(tmp_path))


@pytest.mark.skipif(os.environ.get("KATA_START") == "spawn", reason="the judge is the only process there")
def test_a_judge_that_dies_is_named_and_others_live(root: Path) -> None:
    with Engine() as engine:
        other = engine.seat()
        assert engine.report(job(root)).passed and other.report(job(root)).passed
        _, first, second, *_ = processes(engine)
        os.kill(first.pid, signal.SIGKILL)
        with pytest.raises(OwnFault, match="the judge's process ended unexpectedly: it was killed"):
            engine.report(job(root))
        with pytest.raises(OwnFault):
            engine.report(job(root))
        assert other.report(job(root)).passed
        assert second.alive()


def test_a_process_with_torch_that_dies_is_named_too(root: Path) -> None:
    with Engine() as engine:
        engine.report(job(root))
        everyone = processes(engine)
        engine._processes[0].kill()
        with pytest.raises(OwnFault, match="the judge's process ended unexpectedly: it ended with code -9"):
            engine.report(job(root))
        until(lambda: not any(process.alive() for process in everyone))


def test_an_engine_that_is_never_used_closes_at_once() -> None:
    with Engine(warm=True) as engine:
        [process] = engine._processes
    assert process.returncode == -signal.SIGKILL  # its import of torch is not waited for
    engine.close()  # once more does no harm


def test_the_command_s_process_never_imports_torch(root: Path) -> None:
    code = (
        "import sys; from kata.zygote.launch import Engine; from kata.model import Job, Submission\n"
        f"with Engine() as e: r = e.report(Job({str(root)!r}, 7, Submission('f.py', {tiny.ANSWER.encode()!r})))\n"
        "sys.exit(not r.passed or 'torch' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_reports_are_the_same_whoever_judges(engine: Engine, root: Path) -> None:
    def facts(report: Report) -> list[object]:
        return [(f.check, f.verdict, f.message, f.evidence) for f in report.findings]

    with Engine() as other:
        assert facts(other.report(job(root, WRONG, seed=9))) == facts(engine.report(job(root, WRONG, seed=9)))
