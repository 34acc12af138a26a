"""Drives the checks of a problem against something callable and yields findings; performs no I/O of its own."""

import time
from collections.abc import Iterator
from typing import Any, Protocol

import torch
from msgspec import Struct
from msgspec.structs import replace
from torch import Tensor

from kata import gate
from kata.author import Draw, Failed
from kata.errors import KataError, OwnFault
from kata.findings import OWN_WORK, finding, own_work
from kata.model import Blocks, Call, Check, Error, Finding, Grader, Reply, Verdict
from kata.picture import described, error_map
from kata.words import describe, harmless, spoken
from kata.zygote.perform import perform, plain
from kata.zygote.tree import copy


class Callee(Protocol):
    """Something that holds a learner's functions: a process, a notebook's kernel, a known mistake."""

    shortcuts: set[tuple[str, int]]  # forbidden names that were seen so far, with lines

    def fresh(self) -> Error | Reply | None:
        """Makes the functions anew; an Error when they can't be judged, a Reply when making them ended badly."""

    def send(self, call: Call) -> None:
        """Starts a call."""

    def receive(self) -> Reply:
        """Waits for the reply."""

    def take_output(self) -> str:
        """What the functions printed since the last time."""


class Exchange(Struct, frozen=True):
    """One call of a check, its reply, and the rule and reply that it was compared with."""

    call: Call
    reply: Reply
    wanted: Reply | None
    rule: gate.Rule


class Trial(Struct, frozen=True):
    """One check as it went."""

    check: Check
    finding: Finding
    exchanges: tuple[Exchange, ...]


class Stopped(Exception):
    """A check can't go on; carries its verdict."""

    def __init__(self, verdict: Verdict, message: str, **evidence: Any) -> None:
        super().__init__(message)
        self.verdict, self.evidence = verdict, evidence


class Refused(Exception):
    """The submission can't be judged at all."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.error = error


class Judge:
    """A problem's grader with a seed; what it wants of each call is kept, so a class pays for it once."""

    def __init__(self, grader: Grader, seed: int, parameters: dict[str, list[str]], warm: bool = False) -> None:
        self.grader, self.seed, self.warm = grader, seed, warm
        self._parameters = parameters
        self._wanted: dict[tuple[str, int], tuple[Call, Reply]] = {}

    def trials(self, callee: Callee, only: tuple[str, ...] = ()) -> Iterator[Trial]:
        """Every check in order; those left out by `only` are skipped. Raises Refused."""
        names = [check.name for check in self.grader.checks]
        unknown = [name for name in only if name not in names]
        if unknown:
            raise KataError(f"There is no check {unknown[0]}; this problem has {', '.join(names)}.")
        for check in self.grader.checks:
            if only and check.name not in only:
                yield Trial(check, finding(check, "skipped", "left out by --only"), ())
            else:
                yield self.trial(check, callee)
        if self.grader.problem.forbids:
            left_out = finding(OWN_WORK, "skipped", "left out by --only")
            yield Trial(OWN_WORK, left_out if only else own_work(callee.shortcuts), ())

    @property
    def checks(self) -> tuple[Check, ...]:
        """Every check that a full run reports on."""
        return (*self.grader.checks, *([OWN_WORK] if self.grader.problem.forbids else []))

    def trial(self, check: Check, callee: Callee) -> Trial:
        """One check on freshly made functions."""
        start = time.perf_counter()
        exchanges: list[Exchange] = []
        verdict: Verdict = "passed"
        message, evidence = "", dict[str, Any]()
        try:
            self._fresh(callee)
            self._drive(check, callee, exchanges)
        except Failed as failed:
            verdict, message, evidence = "failed", str(failed), failed.evidence
        except Stopped as stopped:
            verdict, message, evidence = stopped.verdict, str(stopped), stopped.evidence
        if verdict != "passed":
            evidence = self._told(exchanges) | self._pictured(evidence)
        seconds = time.perf_counter() - start
        found = finding(check, verdict, message, evidence, callee.take_output(), seconds)
        return Trial(check, found, tuple(exchanges))

    def _fresh(self, callee: Callee) -> None:
        made = callee.fresh()
        if isinstance(made, Error):
            raise Refused(made)
        if isinstance(made, Reply):
            _admit_ending(made)

    def _drive(self, check: Check, callee: Callee, exchanges: list[Exchange]) -> None:
        run = check.run(Draw(self.seed, self.grader.problem.slug, check.name, self.warm))
        try:
            call = next(run)
            while True:
                exchange = self._exchange(check, call, callee, len(exchanges))
                exchanges.append(exchange)
                admit(exchange)
                call = run.send(exchange.reply if call.whole else exchange.reply.value)
        except StopIteration:
            return
        except (Failed, Stopped, OwnFault, ConnectionError):
            raise
        except Exception as bug:
            raise OwnFault(f"the check {check.name} of {self.grader.problem.name} raised an error of its own") from bug

    def _exchange(self, check: Check, call: Call, callee: Callee, index: int) -> Exchange:
        """Sends a call, works out what is wanted while it is under way, and waits for the reply."""
        callee.send(call)
        wanted = self._want(check, call, index)
        dtype = gate.first_dtype((call.args, call.kwargs)) if call.like is None else gate.first_dtype(call.like)
        rule = gate.Rule(dtype, check.tier == "craft", call.within or self.grader.close, call.on)
        return Exchange(call, callee.receive(), wanted, rule)

    def _want(self, check: Check, call: Call, index: int) -> Reply | None:
        if call.want is None:
            return None if call.like is None else Reply("value", call.like)
        if not callable(call.want):
            return Reply("value", call.want)
        known = self._wanted.get((check.name, index))
        if known is None or not same_inputs(known[0], call):
            known = call, self._reference(call)
            self._wanted[check.name, index] = known
        return known[1]

    def _reference(self, call: Call) -> Reply:
        args, kwargs, cotangent = copy((call.args, call.kwargs, call.cotangent))
        under = tuple(name for name in call.under if name == "vmap")
        reply = perform(call.want, Call(args, kwargs, cotangent=cotangent, under=under), "", plain)
        if reply.raised is not None:
            raise OwnFault(f"the reference of {self.grader.problem.name} raised {reply.raised}")
        return reply

    def _told(self, exchanges: list[Exchange]) -> dict[str, Any]:
        """The call at which a check stopped, as the learner would write it."""
        if not exchanges:
            return {}
        call = exchanges[-1].call
        function = call.function or self.grader.problem.functions[0]
        return {"call": spoken(call, function, self._parameters.get(function, []))}

    def _pictured(self, evidence: dict[str, Any]) -> dict[str, Any]:
        """Evidence with its tensors turned into sentences and a map."""
        told = {name: value for name, value in evidence.items() if name not in ("bad", "tensors")}
        if "bad" in evidence:
            bad, (got, want) = evidence["bad"], evidence["tensors"]
            read = self.grader.reading(got, want) if self.grader.reading else []
            told |= {
                "where": [*described(bad, evidence.get("axes", ())), *read],
                "map": error_map(bad, got, want),
                "shape": list(bad.shape),
            }
        return told


def admit(exchange: Exchange) -> None:
    """Lets a reply through the gate, or raises Failed or Stopped."""
    call, reply, wanted, rule = exchange.call, exchange.reply, exchange.wanted, exchange.rule
    if call.raises is not None and reply.raised is not None:
        if call.raises.__name__ not in reply.raised.kinds:
            asked, came = call.raises.__name__, reply.raised
            raise Failed(f"raised {came.kinds[0]} where {asked} is asked for: {came.message}", traceback=_lines(reply))
        return
    _admit_ending(reply)
    if call.raises is not None:
        raise Failed(f"returned {describe(reply.value)} where {call.raises.__name__} is asked for")
    if wanted is None:
        return
    gate.compare(reply.value, wanted.value, rule, values=call.want is not None)
    if wanted.gradients is not None:
        _admit_gradients(reply, wanted.gradients, rule)


def admitted(exchange: Exchange) -> bool:
    """Whether the gate let a reply through."""
    try:
        admit(exchange)
    except (Failed, Stopped):
        return False
    return True


def _admit_ending(reply: Reply) -> None:
    match reply.ended:
        case "raised":
            assert reply.raised is not None
            text = f"{reply.raised.kinds[0]}: {reply.raised.message}".rstrip(": ")
            raise Stopped("crashed", text, traceback=_lines(reply))
        case "timed_out" | "died" as verdict:
            raise Stopped(verdict, reply.message, **({"traceback": _lines(reply)} if reply.at else {}))


def _lines(reply: Reply) -> list[dict[str, Any]]:
    lines = reply.raised.lines if reply.raised else reply.at
    return [{"line": at.number, "function": harmless(at.function, 80), "text": harmless(at.text, 200)} for at in lines]


def _admit_gradients(reply: Reply, wanted: tuple[Any, ...], rule: gate.Rule) -> None:
    came = reply.gradients or ()
    for index, want in enumerate(wanted):
        got = came[index] if index < len(came) else None
        which = f"the gradient of floating input {index + 1}" if len(wanted) > 1 else "the gradient"
        if want is not None and got is None:
            raise Failed(f"{which} is missing: nothing flows back from the result to the input")
        if want is not None:
            gate.compare(got, want, replace(rule, exact=False), path=which)


def same_inputs(one: Call, other: Call) -> bool:
    """Whether a reference would be given the same in the same way."""
    given = [(call.args, call.kwargs, call.cotangent, call.under) for call in (one, other)]
    return one.want is other.want and _same(*given)


def _same(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, Tensor):
        return one.dtype == other.dtype and torch.equal(one, other)
    if isinstance(one, Blocks):
        return _same(one.blocks, other.blocks)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(_same, one.values(), other.values()))
    return bool(one == other)
