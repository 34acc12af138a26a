"""Several judges on one process with torch; one that is lost costs nobody anything."""

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from kata.classroom import crowd
from kata.classroom.crowd import Work
from kata.errors import KataError
from kata.model import Job, Limits, Submission
from tests.classroom.people import RIGHT

LIMITS = Limits(2.0, 20.0, 512)


def work(root: Path, count: int, number: int = 7) -> list[Work]:
    sources = [RIGHT + f"# {n}\n".encode() for n in range(count)]
    return [Work(str(n), Job(str(root), number, Submission("07.py", s), 3), LIMITS) for n, s in enumerate(sources)]


def test_every_job_is_done_once_by_two_judges(root: Path) -> None:
    done = list(crowd.run(work(root, 6), 2))
    assert sorted(outcome.work.key for outcome in done) == [str(n) for n in range(6)]
    assert all(outcome.report is not None and outcome.report.passed for outcome in done)


def test_no_work_starts_nothing() -> None:
    assert list(crowd.run([], 2)) == []


def test_what_is_wrong_with_the_track_is_said(root: Path) -> None:
    with pytest.raises(KataError, match="There is no problem"):
        list(crowd.run(work(root, 3, number=8), 2))


def test_a_course_sets_limits(root: Path) -> None:
    slow = RIGHT.replace(b"    if", b"    for _ in range(10**12): pass\n    if")
    job = Job(str(root), 7, Submission("07.py", slow), 3)
    start = time.monotonic()
    (outcome,) = crowd.run([Work("slow", job, Limits(0.3, 20.0, 512))], 1)
    assert outcome.report is not None and "0.3 seconds" in outcome.report.findings[0].message
    assert time.monotonic() - start < 30


def test_judges_that_are_killed_cost_no_answer(root: Path) -> None:
    """Every judge is killed as soon as it is there, for a while; then they are left alone."""
    stop = threading.Event()
    killed = [0]
    others = _started()  # the processes of other tests

    def kill() -> None:
        while not stop.is_set() and killed[0] < 3:
            for pid in _judges(_started() - others):
                os.kill(pid, signal.SIGKILL)
                killed[0] += 1
                break
            time.sleep(0.05)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        done = list(crowd.run(work(root, 40), 2))
    finally:
        stop.set()
        killer.join()
    assert killed[0] >= 1
    assert sorted(outcome.work.key for outcome in done) == sorted(str(n) for n in range(40))
    assert all(outcome.report is not None and outcome.report.passed for outcome in done)


def _started() -> set[int]:
    """The processes that we started."""
    return {pid for pid, parent, _ in _processes() if parent == os.getpid()}


def _judges(started: set[int]) -> list[int]:
    """Forks of processes with torch; answers, which are forks of them too, have a session of their own."""
    return [pid for pid, parent, session in _processes() if parent in started and session == parent]


def _processes() -> list[tuple[int, ...]]:
    listed = subprocess.run(["ps", "-eo", "pid,ppid,sid"], capture_output=True, text=True, check=True).stdout
    return [tuple(map(int, line.split())) for line in listed.splitlines()[1:]]
