"""A judge's process: takes jobs from the command, judges, and streams what it finds."""

import socket
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import torch

from kata import report, track
from kata.diagnose import Doctor
from kata.errors import KataError
from kata.judge import Judge, Refused
from kata.model import Error, Finding, Grader, Job, Level, Limits, Problem, Report
from kata.verify import verify
from kata.words import harmless
from kata.zygote import readable
from kata.zygote.events import (
    Begun,
    Done,
    Event,
    Fault,
    Found,
    Grade,
    Lab,
    Verified,
    Verify,
    Wrong,
    decode_job,
    encode,
)
from kata.zygote.frames import Channel
from kata.zygote.handles import Forks
from kata.zygote.remote import Handle, Remote
from kata.zygote.source import Source


class Spawn(Protocol):
    """Starts a learner's child that may use so much memory and import these packages."""

    def __call__(self, memory_mib: int, allows: tuple[str, ...] = ()) -> Handle:
        """The started child."""


def serve(channel: int, zygote: socket.socket, level: Level) -> None:
    """Serves the command over `channel`, with children from the zygote."""
    serve_with(channel, Forks(zygote), level)


def serve_with(channel: int, spawn: Spawn, level: Level) -> None:
    """Serves the command over `channel` until it closes its end."""
    torch.set_num_threads(1)
    wire, service = Channel(socket.socket(fileno=channel)), Service(spawn, level)
    while (frame := wire.receive()) is not None:
        try:
            for event in service.events(decode_job(frame[0])):
                wire.send(encode(event))
        except (BrokenPipeError, ConnectionError):
            return
        except KataError as wrong:
            wire.send(encode(Wrong(str(wrong))))
        except Exception:
            wire.send(encode(Fault(traceback.format_exc())))


class Service:
    """What a judge keeps between jobs: graders, and what they want of each call."""

    def __init__(self, spawn: Spawn, level: Level) -> None:
        self._spawn, self._level = spawn, level
        self._graders: dict[tuple[str, int], Grader] = {}
        self._judges: dict[tuple[str, int, int, bool], Judge] = {}

    def events(self, order: Grade | Verify | Lab) -> Iterator[Event]:
        """Everything that there is to say about one job, as it happens."""
        if isinstance(order, Grade):
            told = self._grade(order.job, order.limits)
            yield from (event for event in told if order.live or isinstance(event, Done))
        elif isinstance(order, Lab):
            from kata.lab.bench import run  # what only an experiment needs, no grade should wait for

            yield from run(order)
        else:
            start = time.perf_counter()
            yield from verify(self._grader(order.track, order.number), order.seeds, record=order.record)
            yield Verified(order.number, time.perf_counter() - start)

    def _grade(self, job: Job, limits: Limits | None) -> Iterator[Event]:
        start = time.perf_counter()
        judge = self._judge(job)
        yield Begun(job.number, len(judge.checks))
        if job.submission.refused is not None:
            yield Done(self._refused(judge, job, job.submission.refused, start))
            return
        problem = judge.grader.problem
        spawn = partial(self._spawn, allows=problem.allows)
        remote = Remote(spawn, self._source(judge, job), limits or problem.limits)
        try:
            yield from self._found(judge, job, remote, start)
        except Refused as refused:
            yield Done(self._refused(judge, job, refused.error, start))
        finally:
            remote.close()

    def _found(self, judge: Judge, job: Job, remote: Remote, start: float) -> Iterator[Event]:
        trials = []
        for trial in judge.trials(remote, job.only):
            yield Found(trial.finding)
            trials.append(trial)
        diagnoses = Doctor(judge, trials).diagnoses()
        findings = [trial.finding for trial in trials]
        yield Done(self._report(judge, job, findings, start, diagnoses=diagnoses))

    def _refused(self, judge: Judge, job: Job, error: Error, start: float) -> Report:
        told = Error(error.kind, harmless(error.message, 1000), error.line)
        return self._report(judge, job, map(report.skipped, judge.checks), start, error=told)

    def _report(self, judge: Judge, job: Job, findings: Iterable[Finding], start: float, **more: Any) -> Report:
        seconds = time.perf_counter() - start
        return report.build(
            judge.grader.problem,
            job.submission,
            findings,
            torch=str(torch.__version__),
            sandbox=self._level,
            seed=job.seed,
            seconds=seconds,
            **more,
        )

    def _source(self, judge: Judge, job: Job) -> Source:
        problem = judge.grader.problem
        names = track.parameters(problem)
        return Source(job.submission.source, problem.question.name, problem.functions, names, problem.forbids)

    def _judge(self, job: Job) -> Judge:
        key = job.track, job.number, job.seed, job.warm
        if key not in self._judges:
            grader = self._grader(job.track, job.number)
            self._judges[key] = Judge(grader, job.seed, track.parameters(grader.problem), job.warm)
        return self._judges[key]

    def _grader(self, root: str, number: int) -> Grader:
        if (root, number) not in self._graders:
            problem = track.find(Path(root), str(number))
            if missing := readable.missing(problem.allows):
                raise KataError(_install(problem, missing))
            self._graders[root, number] = track.grader(problem)
        return self._graders[root, number]


def _install(problem: Problem, missing: list[str]) -> str:
    """What to say where a problem allows packages that nobody installed: answers may need them."""
    names = " ".join(missing)
    return (
        f"Problem {problem.number} lets answers import {', '.join(missing)}, which {sys.executable} does not have. "
        f"Install it and try again: {sys.executable} -m pip install {names}"
    )
