"""The grader graded: proves that a problem accepts what is right, rejects what is wrong, and names the mistake."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from msgspec import Struct
from torch import Tensor

from kata import form, gate, report, track, verdicts
from kata.diagnose import Doctor
from kata.inline import Functions, Inline, functions_of
from kata.judge import Judge, Trial
from kata.judge import Refused as JudgeRefused
from kata.model import Finding, Grader, Mistake
from kata.new import MARK, unfinished
from kata.zygote.events import Row
from kata.zygote.source import Compiled, Refused, Source, compiled, explain, load

HONEST_MARGIN = 0.7
MISTAKE_MARGIN = 3.0
CHECK_SECONDS = 2.0


class Outcome(Struct, frozen=True):
    """What judging one answer gave."""

    trials: tuple[Trial, ...]
    findings: tuple[Finding, ...]
    named: tuple[str, ...]

    def failed(self, tier: str = "") -> list[str]:
        """The checks that were not passed, of one tier or of all."""
        return [f.check for f in self.findings if f.verdict != "passed" and (not tier or f.tier == tier)]


def verify(grader: Grader, seeds: int = 3, files: bool = True, record: bool = False) -> Iterator[Row]:
    """Tries everything that a problem's three files claim, one row for each thing tried.

    Without `files` the wrong answers under tests/learners are left out: they are half of the time. `record` keeps
    what the files earn, for VERSION to be held against.
    """
    proof = Proof(grader)
    yield from proof.form()
    yield from proof.stub()
    yield from proof.empty_answers()
    yield from proof.right_answers(seeds)
    yield from proof.known_mistakes()
    if files:
        yield from proof.learners_mistakes()
        if proof.marks:
            yield verdicts.compared(proof.problem, proof.marks, record)
    yield from proof.margins()


class LearnersFile:
    """A maker that runs a learner's file anew each time, and the shortcuts that its source mentions."""

    def __init__(self, source: Source, code: Compiled) -> None:
        self._source, self._code = source, code
        self.shortcuts = code.shortcuts

    def __call__(self) -> Functions:
        return load(self._source, self._code)


class Proof:
    """Everything that was tried on one problem."""

    def __init__(self, grader: Grader) -> None:
        self.grader = grader
        self.problem = grader.problem
        self.marks: dict[str, verdicts.Mark] = {}
        self._judges: dict[int, Judge] = {}
        self._honest = 0.0
        self._weakest: dict[str, float] = {}
        self._killers: dict[str, list[str]] = {}
        root = self.problem.question.parents[1]
        self._learners = root / "tests" / "learners" / self.problem.name

    def judged(
        self, make: Callable[[], Functions], seed: int = 0, diagnose: bool = True, filename: str = ""
    ) -> Outcome:
        """Judges functions in this process; an audit names those of their lines that stand in `filename`."""
        if seed not in self._judges:
            self._judges[seed] = Judge(self.grader, seed, track.parameters(self.problem), warm=True)
        judge = self._judges[seed]
        callee = Inline(make, filename or self.problem.question.name, self.problem.forbids)
        callee.shortcuts.update(getattr(make, "shortcuts", ()))
        callee.explain = explain(self.problem.question.name)
        trials = list(judge.trials(callee))
        named = tuple(d.name for d in Doctor(judge, trials).diagnoses()) if diagnose else ()
        return Outcome(tuple(trials), report.worth(t.finding for t in trials), named)

    def file(self, path: Path) -> Callable[[], Functions]:
        """A maker that runs a learner's file anew each time."""
        names = track.parameters(self.problem)
        functions = self.problem.functions
        source = Source(path.read_bytes(), self.problem.question.name, functions, names, self.problem.forbids)
        return LearnersFile(source, compiled(source))

    def form(self) -> Iterator[Row]:
        """Texts, hints and quiz are whole."""
        faults = list(form.faults(self.grader))
        counts = f"{len(self.grader.checks)} checks, {len(self.grader.mistakes)} mistakes"
        yield Row("form", counts, not faults, "; ".join(faults))
        left = unfinished([self.problem.question, self.problem.answer, self.problem.grader])
        if left:
            yield Row("unfinished", f"{len(left)} lines hold a {MARK}", True, ", ".join(left[:4]))

    def stub(self) -> Iterator[Row]:
        """The untouched stub reads as not written yet."""
        try:
            self.file(self.problem.question)
            yield Row("stub", "reads as written", False, "give its functions a body of `raise NotImplementedError`")
        except Refused as refused:
            yield Row("stub", refused.error.kind, refused.error.kind == "not_written", refused.error.message)

    def empty_answers(self) -> Iterator[Row]:
        """Returning the input, zeros, nothing or a list earns no point."""
        for name, answer in _empty(self.grader).items():
            outcome = self.judged(lambda answer=answer: answer, diagnose=False)  # type: ignore[misc]
            score = sum(f.points for f in outcome.findings)
            yield Row(f"answer that {name}", f"{score:g} points", score == 0 and bool(outcome.failed("required")))

    def right_answers(self, seeds: int) -> Iterator[Row]:
        """The worked answer and every accepted variant pass all checks for many seeds."""
        makers = {"worked answer": self.file(self.problem.answer)}
        first = self.problem.functions[0]
        for variant in self.grader.accepted:
            own = {first: variant.function}
            makers[f"accepted {variant.name}"] = lambda own=own: dict(functions_of(self.grader, NONE)) | own  # type: ignore[misc]
        for path in sorted((self._learners / "right").glob("*.py")):
            makers[f"right/{path.stem}"] = self.file(path)
        for name, make in makers.items():
            yield self._right(name, make, seeds)

    def _right(self, name: str, make: Callable[[], Functions], seeds: int) -> Row:
        slowest = 0.0
        for seed in range(seeds):
            start = time.process_time()
            outcome = self.judged(make, seed, diagnose=False)
            slowest = max(slowest, time.process_time() - start) if seed else slowest
            self._honest = max(self._honest, *map(_margin, outcome.trials), 0.0)
            if outcome.failed():
                bad = next(f for f in outcome.findings if f.verdict != "passed")
                return Row(name, f"fails {bad.check}", False, f"seed {seed}: {bad.message}")
        late = slowest > CHECK_SECONDS
        return Row(name, f"passes × {seeds} seeds", not late, f"{slowest:.2f} s a run" if seeds > 1 else "")

    def known_mistakes(self) -> Iterator[Row]:
        """Every mistake fails a check of its tier and is named."""
        for mistake in self.grader.mistakes:
            made = lambda m=mistake: functions_of(self.grader, m)  # noqa: E731
            outcome = self.judged(made, filename=str(self.problem.grader))
            self._note(mistake, outcome)
            yield _mistaken(f"mistake {mistake.name}", [mistake], outcome)

    def learners_mistakes(self) -> Iterator[Row]:
        """The same mistakes as a learner would write them, in files of their own."""
        known = {mistake.name: mistake for mistake in self.grader.mistakes}
        proven = set[str]()
        for path in sorted((self._learners / "wrong").glob("*.py")):
            names = path.stem.split("__")[0].split("+")
            if names == [report.OWN_WORK]:
                yield _shortcut(path.stem, self._judged_file(path))
                continue
            proven |= set(names)
            made = [known[name] for name in names if name in known]
            if len(made) < len(names):
                yield Row(f"wrong/{path.stem}", "names no known mistake", False)
                continue
            yield _mistaken(f"wrong/{path.stem}", made, self._judged_file(path))
        lacking = sorted(known.keys() - proven) if self._learners.is_dir() else []
        if lacking:
            yield Row("mistakes proven by a file", f"{len(proven)} of {len(known)}", False, ", ".join(lacking))

    def _judged_file(self, path: Path) -> Outcome:
        try:
            outcome = self.judged(self.file(path))
        except (Refused, JudgeRefused) as refused:
            outcome = Outcome((), (), (f"(refused: {refused})",))
        self.marks[path.stem] = verdicts.mark(path, outcome.findings)
        return outcome

    def _note(self, mistake: Mistake, outcome: Outcome) -> None:
        failed = set(outcome.failed(mistake.tier))
        margins = [_margin(trial) for trial in outcome.trials if trial.check.name in failed]
        self._weakest[mistake.name] = max(margins, default=0.0)
        if len(failed) == 1:
            self._killers.setdefault(failed.pop(), []).append(mistake.name)

    def margins(self) -> Iterator[Row]:
        """How far honest errors and weakest mistakes stand from the tolerance, and which check alone sees what."""
        text = f"worst honest error ÷ tolerance {self._honest:.3f}"
        yield Row("margin", text, self._honest <= HONEST_MARGIN, f"at most {HONEST_MARGIN}")
        seen = {name: value for name, value in self._weakest.items() if value > 1.0}
        if seen:
            name = min(seen, key=lambda key: seen[key])
            text = f"weakest mistake ÷ tolerance {seen[name]:.3g}"
            yield Row("margin", text, seen[name] >= MISTAKE_MARGIN, f"{name}; at least {MISTAKE_MARGIN:g}")
        for check, names in self._killers.items():
            yield Row(f"only {check} sees", f"{len(names)}", True, ", ".join(names))


NONE = Mistake("", "")


def _shortcut(stem: str, outcome: Outcome) -> Row:
    score = sum(f.points for f in outcome.findings)
    found = report.OWN_WORK in outcome.failed()
    return Row(f"wrong/{stem}", f"{score:g} points", found and score == 0, "" if found else "no shortcut was seen")


def _mistaken(subject: str, made: list[Mistake], outcome: Outcome) -> Row:
    tier = "required" if any(m.tier == "required" for m in made) else "craft"
    failed = outcome.failed(tier)
    named = set(" + ".join(outcome.named).replace(" or ", " + ").split(" + "))
    caught = bool(failed) and (tier == "required" or not outcome.failed("required"))
    right = all(m.name in named or (m.family and m.family in named) for m in made)
    outcome_text = f"fails {', '.join(failed[:3]) or 'nothing'}{' …' if len(failed) > 3 else ''}"
    detail = "" if right else f"named {', '.join(outcome.named) or 'nothing'}"
    return Row(subject, outcome_text, caught and right, detail)


def _margin(trial: Trial) -> float:
    return max(
        (_exchange_margin(e) for e in trial.exchanges if e.wanted is not None and e.call.want is not None),
        default=0.0,
    )


def _exchange_margin(exchange: Any) -> float:
    if exchange.reply.ended != "value":
        return float("inf")
    worst = gate.margin(exchange.reply.value, exchange.wanted.value, exchange.rule)
    wanted, came = exchange.wanted.gradients or (), exchange.reply.gradients or ()
    for got, want in zip(came, wanted, strict=False):
        if want is not None:
            rule = gate.Rule(exchange.rule.dtype, False, exchange.rule.close)
            worst = max(worst, float("inf") if got is None else gate.margin(got, want, rule))
    return worst


def _empty(grader: Grader) -> dict[str, Functions]:
    """Answers without work in them, by what they do."""

    def zeros(value: Any) -> Any:
        match value:
            case Tensor():
                return torch.zeros_like(value)
            case tuple() | list():
                return type(value)(map(zeros, value))
            case dict():
                return {key: zeros(item) for key, item in value.items()}
        return type(value)() if isinstance(value, bool | int | float) else value

    def zeroed(reference: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args, **kwargs: zeros(reference(*args, **kwargs))

    references = grader.references
    return {
        "returns its input": dict.fromkeys(references, lambda *args, **kwargs: args[0] if args else None),
        "returns zeros": {name: zeroed(reference) for name, reference in references.items()},
        "returns nothing": dict.fromkeys(references, lambda *args, **kwargs: None),
        "returns a list": dict.fromkeys(references, lambda *args, **kwargs: []),
    }
