"""Which known mistakes reproduce what came back: whole replies compared, one mistake alone, then two together."""

import math
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from kata.alike import likeness, offences, same
from kata.inline import Inline, functions_of, turned
from kata.judge import Exchange, Judge, Trial, admitted, same_inputs
from kata.model import Diagnosis, Ghost, Grader, Mistake
from kata.zygote.arguments import Uses, realise
from kata.zygote.source import explain
from kata.zygote.tree import copy

ALTERNATIVES = 3  # mistakes that may be told as one or the other
TRIED = 6  # failed checks on which every mistake is tried before the answer counts as unknown
HEAVY = 10_000  # numbers in the arguments of a check beyond which it is not tried more often than needed
FLOAT16_MAX = 65504.0
SLACK = 16.0  # how many times the tolerance a probe lets pass
UNTOLD = ("timed_out", "died", "skipped")
KEPT = "changed_between_calls"
KEPT_TEXT = (
    "The same call is right the first time and wrong later on, so something that outlives a call is changed by it: a "
    "tensor, list or counter of the module, of a cache, of a class or of a default argument. Look for *=, /=, **=, a "
    "method that ends with _, or an assignment on what is kept, and make a new value instead."
)
WATCHED = {"audit", "count", "hoard", "sizes"}  # contexts that look at how an answer works, not at what it gives


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
        self._passed = sorted((t for t in trials if t.finding.verdict == "passed"), key=_cost)
        self._tried: dict[tuple[str, str], bool] = {}
        self._likeness: dict[tuple[str, str], int] = {}
        self._partly: set[tuple[str, str]] = set()  # mistakes that commit some of a check's offences, not all

    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """The mistakes that together explain as many failed checks as possible, each with its checks."""
        left, found = list(self._failed), list[Diagnosis]()
        while left:
            known = {m.name: self._explained(m) for m in self._candidates(left)}
            if not known:
                break
            best = self._best(known, left)
            found += [self._told(best, known)] if self._helps(best, known) else []
            left = [t for t in left if t.check.name not in known[best[0].name]]
        several = self._several([t for t in left if t.check.tier == "required" and _cost(t) <= HEAVY])
        if several is None:
            return tuple(found) + self._kept(left)
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
        if mistake.tier == "craft":
            return trial.check.tier == "craft" and self._agrees(mistake, trial)
        return self._agrees(mistake, trial) and (trial.check.tier == "required" or self._telling(mistake, trial))

    def _telling(self, mistake: Mistake, trial: Trial) -> bool:
        """Whether a required mistake may explain craft: one that merely raises must pass what the answer passed."""
        if trial.exchanges[-1].reply.raised is None:
            return True
        light = (t for t in self._passed if t.check.tier == "required" and _cost(t) <= HEAVY)
        return all(self._agrees(mistake, passed) for passed in light)

    def _best(self, known: dict[str, frozenset[str]], left: list[Trial]) -> list[Mistake]:
        """The mistakes that explain most of what is left, required checks first; several where none stands out."""
        required = {t.check.name for t in left if t.check.tier == "required"}
        names = {t.check.name for t in left}

        def worth(mistake: Mistake) -> tuple[int, int]:
            return len(known[mistake.name] & required), len(known[mistake.name] & names)

        candidates = [m for m in self._mistakes if m.name in known]
        most = max(map(worth, candidates))
        best = self._tied(self._likest(self._whole([m for m in candidates if worth(m) == most], names)))
        return [m for m in best if known[m.name] == known[best[0].name]]  # of as many checks, but others, comes later

    def _whole(self, mistakes: list[Mistake], names: set[str]) -> list[Mistake]:
        """Of mistakes that explain as many checks, those that commit all of an answer's offences, if any do."""
        return [m for m in mistakes if not self._in_part(m, names)] or mistakes

    def _in_part(self, mistake: Mistake, names: Iterable[str]) -> bool:
        return any((mistake.name, name) in self._partly for name in names)

    def _likest(self, mistakes: list[Mistake]) -> list[Mistake]:
        """Of mistakes that explain as many checks, those whose exceptions and offences read most like the answer's."""
        alike = {m.name: sum(self._likeness.get((m.name, t.check.name), 0) for t in self._failed) for m in mistakes}
        return [m for m in mistakes if alike[m.name] == max(alike.values())]

    def _tied(self, mistakes: list[Mistake]) -> list[Mistake]:
        """Of mistakes that explain as many checks, those that also pass what passed, as the answer did.

        How a reference works is its own affair, so a setting of its knobs is held against no watched check.
        """
        for trial in self._passed:
            if len(mistakes) == 1:
                break
            watched = any(WATCHED & set(exchange.call.under) for exchange in trial.exchanges)
            agreeing = [m for m in mistakes if (watched and m.make is None) or self._agrees(m, trial)]
            mistakes = agreeing or mistakes
        return mistakes

    def _told(self, mistakes: list[Mistake], known: dict[str, frozenset[str]]) -> Diagnosis:
        families = {m.family for m in mistakes}
        one_family = len(mistakes) > 1 and len(families) == 1
        both = all(self._in_part(m, known[m.name]) for m in mistakes)  # each is a part of what the answer does
        name = (families.pop() if one_family else "") or (" + " if both else " or ").join(m.name for m in mistakes)
        text = ("\nAnd: " if both else "\nOr: ").join(m.text for m in mistakes)
        return Diagnosis(name, text, self._in_order(known[mistakes[0].name]))

    def _helps(self, mistakes: list[Mistake], known: dict[str, frozenset[str]]) -> bool:
        """Whether few enough mistakes are left for a learner to look for each; what all of them do is told as one."""
        together = len({m.family for m in mistakes if m.family}) == 1 or all(
            self._in_part(m, known[m.name]) for m in mistakes
        )
        return len(mistakes) <= ALTERNATIVES or together

    def _in_order(self, names: frozenset[str]) -> tuple[str, ...]:
        return tuple(check.name for check in self._judge.grader.checks if check.name in names)

    def _kept(self, left: list[Trial]) -> tuple[Diagnosis, ...]:
        """Said of no known mistake: one call came back right and the very same one, later in its check, wrong."""
        wrong = [t for t in left if t.exchanges[-1].call.want is not None and not admitted(t.exchanges[-1])]
        later = [t for t in wrong if len(t.exchanges) > 1]  # a check ends with the first wrong reply
        if not any(same_inputs(e.call, t.exchanges[-1].call) for t in later for e in t.exchanges[:-1]):
            return ()
        return (Diagnosis(KEPT, KEPT_TEXT, self._in_order(frozenset(t.check.name for t in later))),)

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
        judging = ([t for t in left if not t.check.explains] or left)[0]
        likely = {_joined(group).name: group for group in groups if _free(group)}
        joined = [m for m in map(_joined, likely.values()) if self._agrees(m, judging)]
        if not joined:
            return None
        explained = {m.name: len(self._explained(m)) for m in joined}
        best = self._tied([m for m in joined if explained[m.name] == max(explained.values())])
        return likely[best[0].name]

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
        callee.explain = explain(str(grader.problem.grader))
        callee.fresh()
        for exchange in trial.exchanges:
            callee.send(exchange.call)
            reply = callee.receive()
            if not same(exchange, reply, trial.check):
                return False
            self._likeness[mistake.name, trial.check.name] = likeness(exchange.reply, reply)
            if offences(reply) != offences(exchange.reply):
                self._partly.add((mistake.name, trial.check.name))
        return self._judge.trial(trial.check, callee).finding.verdict == trial.finding.verdict


class Probe:
    """One failed call, to rule out in a tenth of a millisecond what can't have given its reply."""

    def __init__(self, grader: Grader, exchange: Exchange) -> None:
        self._call, self._came = exchange.call, list(_leaves(exchange.reply.value))
        self._reference = grader.references[exchange.call.function or grader.problem.functions[0]]
        self._raised = exchange.reply.raised is not None
        right = list(_leaves(exchange.wanted.value)) if exchange.wanted is not None else []
        pairs = zip(self._came, right if len(right) == len(self._came) else self._came, strict=True)
        self._most = [max(_allowed(came, exchange), _allowed(want, exchange)) for came, want in pairs]

    def likely(self, mistake: Mistake) -> bool:
        """False only if a knob setting can't have given what came; exactly is decided on whole replies."""
        if "vmap" in self._call.under or any(isinstance(leaf, Ghost) for leaf in self._came):
            return True
        if self._raised and (self._call.under or self._call.cotangent is not None):
            return True  # what raises may be the context, or the backward pass
        try:
            value = turned(self._reference, mistake.knobs)(*_cloned(self._call.args), **_cloned(self._call.kwargs))
        except Exception:
            return self._raised
        leaves = list(_leaves(value))
        near = len(leaves) == len(self._came) and all(map(_near, leaves, self._came, self._most))
        return not self._raised and near


def _leaves(value: Any) -> Iterator[Any]:
    """The tensors and plain values of a tree, in order."""
    match value:
        case tuple() | list():
            for item in value:
                yield from _leaves(item)
        case dict():
            for item in value.values():
                yield from _leaves(item)
        case _:
            yield value


def _allowed(leaf: Any, exchange: Exchange) -> float:
    """How far off a leaf may be and still be worth a closer look; without end where there are no numbers to compare."""
    if not isinstance(leaf, Tensor) or not leaf.numel() or not (leaf.is_floating_point() or leaf.is_complex()):
        return math.inf
    wide = leaf.detach().to(torch.complex128 if leaf.is_complex() else torch.float64)
    return SLACK * float(exchange.rule.close(wide, exchange.rule.dtype).max())


def _near(value: Any, came: Any, most: float) -> bool:
    if not isinstance(value, Tensor) or not isinstance(came, Tensor):
        return isinstance(value, Tensor) == isinstance(came, Tensor)
    kinds = [(t.shape, t.is_floating_point(), t.is_complex()) for t in (value, came)]
    if kinds[0] != kinds[1]:
        return False
    return math.isinf(most) or (not float((value - came).abs().max()) > most and _finite(value, came))


def _finite(value: Tensor, came: Tensor) -> bool:
    """Whether numbers stand where numbers came; an infinity may be a larger number in the reference's precision."""
    return bool(came.isfinite().any()) or not bool((value.abs() < FLOAT16_MAX).all())


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
