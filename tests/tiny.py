"""A throwaway problem: everything a track can hold, in three files that a test can take in at a glance."""

import textwrap
from pathlib import Path
from typing import Any

from kata import track
from kata.diagnose import Doctor
from kata.inline import Functions, Inline
from kata.judge import Judge, Trial
from kata.model import Diagnosis, Finding, Grader, Problem, Report, Submission
from kata.report import build, worth
from kata.zygote.source import Source, compiled, explain, load

NAME = "07_double_and_shift"

QUESTION = '''
"""# Double and shift

Twice the input, plus an amount.

A negative amount is a mistake of the caller: raise `ValueError`.
"""

import torch
from torch import Tensor


def double_and_shift(x: Tensor, amount: float) -> Tensor:
    """2x + amount, of the shape of x."""
    raise NotImplementedError
'''

ANSWER = '''
"""# Double and shift: a worked answer"""

import torch


def double_and_shift(x, amount):
    if amount < 0:
        raise ValueError("amount")
    return 2 * x + amount
'''

GRADER = '''
"""How double_and_shift is graded."""

SECTION = "Testing"
LEVEL = 1
AFTER = (3,)
VERSION = 5
FORBIDS = ()
LIMITS = {"cpu_seconds": 2, "memory_mib": 512}

import torch
from kata.author import Failed, accepted, call, check, hint, mistake, question, right, within, wrong, wrong_choice

close = within({torch.float32: 1e-5})


def reference(x, amount, *, factor=2.0, sign=1.0, unchecked=False, power=1):
    if amount < 0 and not unchecked:
        raise ValueError("amount")
    return factor * x.double() ** power + sign * amount


@check(points=1, explains=True)
def keeps_the_shape(draw):
    """The result has the shape of the input."""
    for shape in ((2, 3), (4,), ()):
        yield call(draw.normal(*shape), 1.5, like=torch.zeros(shape))


@check(points=4)
def values(draw):
    """The values are right."""
    for shape in ((2, 3), (5,)):
        yield call(draw.normal(*shape), draw.integer(1, 5) + 0.5, want=reference)


@check(points=2)
def gradient(draw):
    """The gradient is right."""
    x = draw.normal(3)
    yield call(x, 0.0, want=reference, cotangent=draw.normal(3))


@check(points=1)
def refuses(draw):
    """A negative amount raises ValueError."""
    yield call(draw.normal(2), -1.0, raises=ValueError)
    yield call(draw.normal(2), 0.0, want=reference)


@check(craft=True)
def half(draw):
    """Half precision in, half precision out."""
    yield call(draw.normal(3, dtype=torch.float16), 1.0, want=reference)


@check(craft=True)
def hands_off(draw):
    """The input is left as it was."""
    reply = yield call(draw.normal(3), 1.0, whole=True)
    if reply.changed:
        raise Failed(f"wrote to {reply.changed[0]}")


MISTAKES = [
    mistake("not_doubled", "The input is not doubled.", factor=1.0),
    mistake("minus", "The amount is taken away.", sign=-1.0),
    mistake("unchecked", "A negative amount is accepted.", unchecked=True),
    mistake("squared", "The input is squared.", power=2, family="curved"),
    mistake("times_itself", "The input is multiplied by itself.", power=2, family="curved"),
]


@wrong("Every result has become float32.", craft=True)
def always_float32(x, amount):
    return reference(x, amount).float()


@wrong("The input is overwritten.")
def in_place(x, amount):
    if amount < 0:
        raise ValueError
    return x.mul_(2).add_(amount)


@wrong("Only the first call is right.", fresh=True)
def first_call_only():
    seen = []

    def double_and_shift(x, amount):
        seen.append(x)
        return reference(x, amount).to(x.dtype) if len(seen) == 1 else torch.zeros_like(x)

    return double_and_shift


@accepted
def added(x, amount):
    if amount < 0:
        raise ValueError
    return x + x + amount


HINTS = [
    hint("Read the statement."),
    hint("Double first."),
    hint("Then add."),
    hint("Mind the sign.", "minus"),
]
QUIZ = [
    question("What is twice 2?", right("4", "2 + 2."), wrong_choice("5", "One too many.")),
]
'''


def write(root: Path, name: str = NAME, question: str = QUESTION, answer: str = ANSWER, grader: str = GRADER) -> Path:
    """Puts the three files of a problem on the shelves of `root`, which may hold others already."""
    for shelf, text in (("problems", question), ("solutions", answer), ("grader", grader)):
        (root / shelf).mkdir(exist_ok=True, parents=True)
        (root / shelf / f"{name}.py").write_text(text.lstrip("\n"), "utf-8")
    return root


def grader(root: Path, word: str = "7") -> Grader:
    """The loaded grader of a problem."""
    return track.grader(track.find(root, word))


def graded(text: str, root: Path) -> Grader:
    """A grader of one's own for double_and_shift: the head and reference are those of the tiny problem."""
    head = GRADER.split("@check")[0]
    return grader(write(root, grader=head + textwrap.dedent(text)))


def functions(problem: Problem, text: str) -> Functions:
    """The functions of a learner's file, run in this process."""
    source = Source(text.encode(), problem.question.name, problem.functions, track.parameters(problem), problem.forbids)
    return load(source, compiled(source))


class Judged:
    """What a judge in this process says about a learner's file."""

    def __init__(self, grader: Grader, text: str, seed: int = 0, only: tuple[str, ...] = ()) -> None:
        self.problem = grader.problem
        callee = Inline(lambda: functions(self.problem, text), self.problem.question.name)
        callee.explain = explain(self.problem.question.name)
        judge = Judge(grader, seed, track.parameters(self.problem), warm=True)
        self.trials: tuple[Trial, ...] = tuple(judge.trials(callee, only))
        self.diagnoses: tuple[Diagnosis, ...] = Doctor(judge, list(self.trials)).diagnoses()
        self.findings: tuple[Finding, ...] = worth(trial.finding for trial in self.trials)

    def __getitem__(self, check: str) -> Finding:
        return next(finding for finding in self.findings if finding.check == check)

    @property
    def verdicts(self) -> dict[str, str]:
        """What became of each check."""
        return {finding.check: finding.verdict for finding in self.findings}

    @property
    def named(self) -> list[str]:
        """The names of the diagnoses."""
        return [diagnosis.name for diagnosis in self.diagnoses]

    def report(self, **facts: Any) -> Report:
        """The report, as an engine would give it."""
        submission = Submission(f"{NAME}.py", b"")
        known: dict[str, Any] = {"torch": "2", "sandbox": "inline", "seed": 0, "seconds": 0.25}
        return build(self.problem, submission, self.findings, self.diagnoses, **(known | facts))
