"""check() and grade() for notebooks, REPLs and scripts: the same judge and the same report as the command's."""

import ast
import inspect
import io
import random
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import torch

from kata import report, track, workspace
from kata.diagnose import Doctor
from kata.errors import KataError
from kata.inline import Functions, Inline
from kata.judge import Judge, Refused
from kata.model import Diagnosis, Error, Finding, Job, Problem, Reply, Report, Submission
from kata.screen import pages
from kata.stub import is_stub
from kata.words import harmless
from kata.zygote.launch import Engine
from kata.zygote.source import Refused as Unfit
from kata.zygote.source import explain, fits

Function = Callable[..., Any]


class Checked:
    """A report that shows itself: as text, and as HTML in a notebook."""

    def __init__(self, problem: Problem, report: Report) -> None:
        self.report, self._problem = report, problem

    @property
    def passed(self) -> bool:
        """Whether every required check passed."""
        return self.report.passed

    def __repr__(self) -> str:
        return pages.text(self._problem, self.report)

    def _repr_html_(self) -> str:
        return pages.html(self._problem, self.report)


def check(word: int | str, functions: tuple[Function, ...], seed: int, root: Path) -> Checked:
    """Judges functions of this process, at level inline: nothing is confined, and nothing is recorded."""
    problem = track.find(root, str(word))
    start = time.perf_counter()
    findings: list[Finding] = []
    diagnoses: tuple[Diagnosis, ...] = ()
    error: Error | None = None
    with _undisturbed():
        judge = Judge(track.grader(problem), seed, track.parameters(problem))
        try:
            named = _named(problem, functions)
            trials = list(judge.trials(Kernel(named, problem.forbids)))
            findings, diagnoses = [trial.finding for trial in trials], Doctor(judge, trials).diagnoses()
        except (Refused, Unfit) as refused:
            error = Error(refused.error.kind, harmless(refused.error.message, 1000), refused.error.line)
            findings = [report.skipped(check) for check in judge.checks]
    told = report.build(
        problem,
        Submission("your function", "\n".join(map(_source, functions)).encode()),
        findings,
        diagnoses,
        error,
        torch=str(torch.__version__),
        sandbox="inline",
        seed=seed,
        seconds=time.perf_counter() - start,
    )
    return Checked(problem, told)


def grade(word: int | str, file: str | None, seed: int, root: Path) -> Checked:
    """Judges a file in the sandbox."""
    problem = track.find(root, str(word))
    submission = workspace.submission(problem, file, root)
    with Engine() as engine:
        return Checked(problem, engine.report(Job(str(root), problem.number, submission, seed)))


class Kernel(Inline):
    """The functions of a notebook's kernel: what they print is caught, their lines are named, Ctrl-C ends it all."""

    def __init__(self, functions: Functions, forbids: tuple[str, ...]) -> None:
        code = (getattr(function, "__code__", None) for function in functions.values())
        file = next((c.co_filename for c in code if c is not None), "<kernel>")
        super().__init__(lambda: functions, file, forbids)
        self.explain = explain(file)
        self._printed = io.StringIO()

    def receive(self) -> Reply:
        """Makes the call."""
        with redirect_stdout(self._printed), redirect_stderr(self._printed):
            reply = super().receive()
        if reply.raised is not None and reply.raised.kinds[0] == "KeyboardInterrupt":
            raise KeyboardInterrupt
        return reply

    def take_output(self) -> str:
        """What was printed since the last time."""
        printed, self._printed = self._printed.getvalue(), io.StringIO()
        return printed


def _named(problem: Problem, functions: tuple[Function, ...]) -> dict[str, Function]:
    """The functions by the names that the problem gives them; raises Unfit for one that can't be judged."""
    wanted = problem.functions
    if len(functions) != len(wanted):
        raise KataError(
            f"Problem {problem.number} asks for {', '.join(wanted)}: check({problem.number}, {', '.join(wanted)})"
        )
    by_name = {getattr(function, "__name__", ""): function for function in functions}
    named = by_name if set(by_name) == set(wanted) else dict(zip(wanted, functions, strict=True))
    parameters = track.parameters(problem)
    for name, function in named.items():
        if not callable(function):
            raise Unfit(Error("missing_function", f"{name} is a {type(function).__name__}, not a function"))
        if _unwritten(function):
            raise Unfit(Error("not_written", f"{name} is not written yet"))
        fits(function, name, parameters.get(name, []))
    return {name: named[name] for name in wanted}


def _unwritten(function: Function) -> bool:
    try:
        body = ast.parse(_source(function)).body
    except SyntaxError:
        return False
    return bool(body) and isinstance(body[0], ast.FunctionDef) and is_stub(body[0])


def _source(function: Function) -> str:
    try:
        return textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        return ""


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Gives a kernel its settings and its chance back, which every check sets anew."""
    before = _settings()
    try:
        yield
    finally:
        for put_back in before:
            put_back()


def _settings() -> list[Callable[[], Any]]:
    """What puts each of a kernel's settings back to what it is now."""
    found: list[Callable[[], Any]] = [
        partial(torch.set_default_dtype, torch.get_default_dtype()),
        partial(torch.set_grad_enabled, torch.is_grad_enabled()),
        partial(torch.set_num_threads, torch.get_num_threads()),
        partial(torch.set_autocast_enabled, "cpu", torch.is_autocast_enabled("cpu")),
        partial(torch.autograd.set_detect_anomaly, torch.is_anomaly_enabled()),
        partial(torch.set_rng_state, torch.get_rng_state()),
        partial(random.setstate, random.getstate()),
    ]
    if (device := torch.get_default_device()).type != "cpu":
        found.append(partial(torch.set_default_device, device))
    if torch.are_deterministic_algorithms_enabled():
        found.append(partial(torch.use_deterministic_algorithms, True))
    if (numpy := sys.modules.get("numpy.random")) is not None:
        found.append(partial(numpy.set_state, numpy.get_state()))
    return found
