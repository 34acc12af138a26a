"""Many jobs on several judges of one process that imports torch: outcomes in the order in which they are done."""

import os
import queue
import threading
from collections.abc import Iterator, Sequence

from msgspec import Struct

from kata.errors import OwnFault
from kata.model import Job, Limits, Report
from kata.zygote.launch import Engine, Seat


class Work(Struct, frozen=True):
    """A job, under the key of its result."""

    key: str
    job: Job
    limits: Limits


class Outcome(Struct, frozen=True):
    """How a job ended: with a report, or with a fault of ours."""

    work: Work
    report: Report | None
    fault: OwnFault | None = None


def cores() -> int:
    """How many judges can work at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(work: Sequence[Work], judges: int, engine: Engine | None = None) -> Iterator[Outcome]:
    """Every job's outcome; one whose judge was lost is tried again at the end, alone and in a process of its own.

    An engine that was started ahead is used, and closed.
    """
    again: list[Work] = []
    for outcome in _together(work, judges, engine):
        if outcome.report is None:
            again.append(outcome.work)
        else:
            yield outcome
    yield from map(_alone, again)


def _alone(work: Work) -> Outcome:
    try:
        with Engine() as engine:
            return Outcome(work, engine.report(work.job, work.limits))
    except OwnFault as fault:
        return Outcome(work, None, fault)


def _together(work: Sequence[Work], judges: int, ahead: Engine | None) -> Iterator[Outcome]:
    if not work:
        return
    with ahead or Engine(warm=True) as engine:
        crowd = _Crowd(engine, work)
        yield from crowd.outcomes(min(judges, len(work)))


class _Crowd:
    """Threads that each wait for one judge; the judges are processes, so that is all that threads do."""

    def __init__(self, engine: Engine, work: Sequence[Work]) -> None:
        self._engine, self._work = engine, iter(work)
        self._lock = threading.Lock()
        self._done: queue.SimpleQueue[Outcome | BaseException | None] = queue.SimpleQueue()

    def outcomes(self, judges: int) -> Iterator[Outcome]:
        seats = [self._engine.first, *(self._engine.seat() for _ in range(judges - 1))]
        for seat in seats:
            threading.Thread(target=self._serve, args=(seat,), daemon=True).start()
        while judges:
            match self._done.get():
                case None:
                    judges -= 1
                case Outcome() as outcome:
                    yield outcome
                case BaseException() as wrong:
                    raise wrong
        yield from (Outcome(left, None) for left in self._work)  # every judge is lost

    def _serve(self, seat: Seat | None) -> None:
        try:
            while seat is not None and (work := self._next()) is not None:
                outcome = _judged(seat, work)
                self._done.put(outcome)
                if outcome.fault is not None:
                    seat = self._another(seat)
        except BaseException as wrong:
            self._done.put(wrong)
        self._done.put(None)

    def _next(self) -> Work | None:
        with self._lock:
            return next(self._work, None)

    def _another(self, lost: Seat) -> Seat | None:
        lost.close()
        try:
            return self._engine.seat()
        except OwnFault:
            return None


def _judged(seat: Seat, work: Work) -> Outcome:
    try:
        return Outcome(work, seat.report(work.job, work.limits))
    except OwnFault as fault:
        return Outcome(work, None, fault)
