"""Which known mistakes reproduce what came back: whole replies compared, one mistake alone, then two together."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from kata import gate
from kata.author import Failed
from kata.inline import Inline, functions_of, turned
from kata.judge import Exchange, Judge, Trial
from kata.model import Check, Close, Diagnosis, Ghost, Grader, Mistake, Reply
from kata.zygote.arguments import Uses, realise
from kata.zygote.tree import copy

TRIED = 6  # failed checks on which every mistake is tried before the answer counts as unknown
HEAVY = 10_000  # numbers in the arguments of a check beyond which it is not tried more often than needed
FLOAT16_MAX = 65504.0
SLACK = 16.0  # how many times the tolerance a probe lets pass
UNTOLD = ("timed_out", "died", "skipped")


class Doctor:
    """Explains the failed trials of one submission."""

    def __init__(self, judge: Judge, trials: list[Trial]) -> None:
        self._judge = judge
        self._mistakes = judge.grader.mistakes
        failed = [t for t in trials if t.finding.verdict not in ("passed", *UNTOLD) and t.exchanges]
        required = [t for t in failed if t.check.tier == "required"]
        wrong = any(t.check.tier == "required" and t.finding.verdict not in ("passed", "skipped") for t in trials)
        self._failed = sorted(required if wrong else failed, key=_cost)  # craft is explained once the answer is right
        light = [t for t in self._failed if _cost(t) <= HEAVY]
        self._probes = {t.check.name: Probe(judge.grader, t.exchanges[-1]) for t in light}
        self._passed = [t for t in trials if t.finding.verdict == "passed"]
        self._tried: dict[tuple[str, str], bool] = {}

    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """The mistakes that together explain as many failed checks as possible, each with its checks."""
        left, found = list(self._failed), list[Diagnosis]()
        while left:
            known = {m.name: self._explained(m) for m in self._candidates(left)}
            if not known:
                break
            best = self._best(known, left)
            found.append(self._told(best, known))
            left = [t for t in left if t.check.name not in known[best[0].name]]
        several = self._several([t for t in left if t.check.tier == "required" and _cost(t) <= HEAVY])
        if several is None:
            return tuple(found)
        return several, *(d for d in found if not set(d.checks) <= set(several.checks))

    def _candidates(self, left: list[Trial]) -> list[Mistake]:
        """The mistakes that reproduce the cheapest check that any reproduces: only they are tried on all the others."""
        for trial in left[:TRIED]:
            if found := [m for m in self._mistakes if self._explains(m, trial)]:
                return found
        return []

    def _explained(self, mistake: Mistake) -> frozenset[str]:
        return frozenset(t.check.name for t in self._failed if self._explains(mistake, t))

    def _explains(self, mistake: Mistake, trial: Trial) -> bool:
        fits = mistake.tier == "required" or trial.check.tier == "craft"
        return fits and self._agrees(mistake, trial)

    def _best(self, known: dict[str, frozenset[str]], left: list[Trial]) -> list[Mistake]:
        """The mistakes that explain most of what is left, required checks first; several where none stands out."""
        required = {t.check.name for t in left if t.check.tier == "required"}
        names = {t.check.name for t in left}

        def worth(mistake: Mistake) -> tuple[int, int]:
            return len(known[mistake.name] & required), len(known[mistake.name] & names)

        candidates = [m for m in self._mistakes if m.name in known]
        most = max(map(worth, candidates))
        best = self._tied([m for m in candidates if worth(m) == most])
        return [m for m in best if known[m.name] == known[best[0].name]]  # of as many checks, but others, comes later

    def _tied(self, mistakes: list[Mistake]) -> list[Mistake]:
        """Of mistakes that explain as many checks, those that also pass what passed, as the answer did."""
        for trial in sorted(self._passed, key=_cost):
            if len(mistakes) == 1:
                break
            agreeing = [m for m in mistakes if self._agrees(m, trial)]
            mistakes = agreeing or mistakes
        return mistakes

    def _told(self, mistakes: list[Mistake], known: dict[str, frozenset[str]]) -> Diagnosis:
        families = {m.family for m in mistakes}
        one_family = len(mistakes) > 1 and len(families) == 1
        name = (families.pop() if one_family else "") or " or ".join(m.name for m in mistakes)
        text = "\nOr: ".join(m.text for m in mistakes)
        return Diagnosis(name, text, self._in_order(known[mistakes[0].name]))

    def _in_order(self, names: frozenset[str]) -> tuple[str, ...]:
        return tuple(check.name for check in self._judge.grader.checks if check.name in names)

    def _several(self, left: list[Trial]) -> Diagnosis | None:
        """Two knob settings that don't clash and explain together what none explains alone, and a third if it adds."""
        turnable = [m for m in self._mistakes if m.make is None and m.tier == "required"]
        best = self._most(combinations(turnable, 2), left) if left else None
        if best is None:
            return None
        more = self._most(((*best, third) for third in turnable if third not in best), left)
        if more is not None and len(self._explained(_joined(more))) > len(self._explained(_joined(best))):
            best = more
        joined = _joined(best)
        count = {2: "Two", 3: "Three"}[len(best)]
        text = f"{count} things are off. " + "\nAnd: ".join(m.text for m in best)
        return Diagnosis(joined.name, text, self._in_order(self._explained(joined)))

    def _most(self, groups: Iterable[tuple[Mistake, ...]], left: list[Trial]) -> tuple[Mistake, ...] | None:
        """The group that explains most; one that misses the cheapest check of values is not tried on the others."""
        judging = ([t for t in left if not t.check.explains] or left)[:1]
        best, most = None, 0
        for group in filter(_free, groups):
            if all(self._agrees(_joined(group), trial) for trial in judging):
                explained = len(self._explained(_joined(group)))
                best, most = (group, explained) if explained > most else (best, most)
                if most == len(self._failed):
                    break
        return best

    def _agrees(self, mistake: Mistake, trial: Trial) -> bool:
        """Whether this mistake gives the same replies to the calls of a check, and the same verdict."""
        key = mistake.name, trial.check.name
        if key not in self._tried:
            probe = self._probes.get(trial.check.name)
            likely = probe is None or mistake.make is not None or probe.likely(mistake)
            self._tried[key] = likely and self._reproduces(mistake, trial)
        return self._tried[key]

    def _reproduces(self, mistake: Mistake, trial: Trial) -> bool:
        grader = self._judge.grader
        callee = Inline(lambda: functions_of(grader, mistake), str(grader.problem.grader))  # whose lines an audit names
        callee.fresh()
        for exchange in trial.exchanges:
            callee.send(exchange.call)
            reply = callee.receive()
            if not same(exchange, reply, trial.check):
                return False
        return self._judge.trial(trial.check, callee).finding.verdict == trial.finding.verdict


class Probe:
    """One failed call, to rule out in a tenth of a millisecond what can't have given its reply."""

    def __init__(self, grader: Grader, exchange: Exchange) -> None:
        self._call, self._came = exchange.call, exchange.reply.value
        self._reference = grader.references[exchange.call.function or grader.problem.functions[0]]
        self._raised = exchange.reply.raised is not None
        self._plain = isinstance(self._came, Tensor) and self._came.numel() > 0 and self._came.is_floating_point()
        if self._plain:
            self._most = SLACK * float(exchange.rule.close(self._came.double(), exchange.rule.dtype).max())

    def likely(self, mistake: Mistake) -> bool:
        """False only if a knob setting can't have given what came; exactly is decided on whole replies."""
        if "vmap" in self._call.under or isinstance(self._came, Ghost):
            return True
        if self._raised and (self._call.under or self._call.cotangent is not None):
            return True  # what raises may be the context, or the backward pass
        try:
            value = turned(self._reference, mistake.knobs)(*_cloned(self._call.args), **_cloned(self._call.kwargs))
        except Exception:
            return self._raised
        return not self._raised and self._near(value)

    def _near(self, value: Any) -> bool:
        if not isinstance(value, Tensor) or not isinstance(self._came, Tensor):
            return isinstance(value, Tensor) == isinstance(self._came, Tensor)
        if value.shape != self._came.shape or value.is_floating_point() != self._came.is_floating_point():
            return False
        return not self._plain or (not float((value - self._came).abs().max()) > self._most and self._finite(value))

    def _finite(self, value: Tensor) -> bool:
        """Whether numbers stand where numbers came; an infinity may be a larger number in the reference's precision."""
        return bool(self._came.isfinite().any()) or not bool((value.abs() < FLOAT16_MAX).all())


def _cloned(value: Any) -> Any:
    match value:
        case Tensor():
            return value.clone()
        case tuple():
            return tuple(map(_cloned, value))
        case dict():
            return {key: _cloned(item) for key, item in value.items()}
        case None | bool() | int() | float() | str():
            return value
    return realise(copy(value), Uses())


def _free(group: tuple[Mistake, ...]) -> bool:
    """Whether no two mistakes of a group turn the same knob."""
    knobs = [knob for mistake in group for knob in mistake.knobs]
    return len(knobs) == len(set(knobs))


def _joined(group: tuple[Mistake, ...]) -> Mistake:
    """One mistake with all the knobs of a group turned."""
    knobs = {name: value for mistake in group for name, value in mistake.knobs.items()}
    return Mistake(" + ".join(m.name for m in group), "", knobs=knobs)


def _cost(trial: Trial) -> int:
    """Roughly how much work the calls of a check are: the numbers in their arguments."""
    return sum(_size((e.call.args, e.call.kwargs)) for e in trial.exchanges)


def _size(value: Any) -> int:
    if hasattr(value, "numel"):
        return int(value.numel())
    if isinstance(value, dict):
        value = tuple(value.values())
    return sum(map(_size, value)) if isinstance(value, tuple | list) else 1


def same(exchange: Exchange, other: Reply, check: Check) -> bool:
    """Whether a mistake's reply is the one that came: ending, structure, shape, dtype, values, gradients, effects."""
    reply = exchange.reply
    if reply.ended != other.ended:
        return False
    if reply.raised is not None and other.raised is not None:
        kind = reply.raised.kinds[0]
        named = kind in ("AttributeError", "NameError")  # the text names what was looked for: that is the mistake
        return kind == other.raised.kinds[0] and (not named or reply.raised.message == other.raised.message)
    if bool(reply.changed) != bool(other.changed) or reply.state != other.state or reply.used != other.used:
        return False
    if {what for what, _ in reply.audit} != {what for what, _ in other.audit}:
        return False
    if not _alike(reply.value, other.value, exchange, check):
        return False
    return _same_gradients(reply, other, exchange)


def _alike(one: Any, other: Any, exchange: Exchange, check: Check) -> bool:
    exact = check.tier == "craft"
    dtype = next(gate.floats(other), exchange.rule.dtype) if exact else exchange.rule.dtype
    try:
        gate.compare(one, other, gate.Rule(dtype, exact, _roomy(exchange)))
    except Failed:
        return False
    return True


def _roomy(exchange: Exchange) -> Close:
    """The tolerance for two wrong results: at least what the right one is allowed, as wrong ones may be tiny."""
    close, right = exchange.rule.close, exchange.wanted.value if exchange.wanted is not None else None

    def allowed(want: Any, dtype: Any) -> Any:
        room = close(want, dtype)
        if not isinstance(right, Tensor) or right.shape != want.shape or not right.is_floating_point():
            return room
        return torch.maximum(room, close(right.detach().double(), dtype))

    return allowed


def _same_gradients(reply: Reply, other: Reply, exchange: Exchange) -> bool:
    ours, theirs = reply.gradients or (), other.gradients or ()
    if [g is None for g in ours] != [g is None for g in theirs]:
        return False
    rule = gate.Rule(exchange.rule.dtype, False, exchange.rule.close)
    try:
        for one, two in zip(ours, theirs, strict=True):
            gate.compare(one, two, rule)
    except Failed:
        return False
    return True
