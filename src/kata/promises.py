"""Promises that most problems make: parts of a check, run by `yield from` around a call of the problem's own."""

from collections.abc import Mapping
from typing import Any

import torch
from msgspec.structs import replace
from torch import Tensor

from kata.draw import Draw
from kata.model import Call, Checking, Close
from kata.tolerance import in_float32


class Failed(Exception):
    """Raised by a check when a promise was not kept; evidence is what the screen may show in numbers."""

    def __init__(self, message: str, **evidence: Any) -> None:
        super().__init__(message)
        self.evidence = evidence


def first_true(flags: Tensor) -> tuple[int, ...] | None:
    """The index of the first True of a tensor with at least one axis, None where there is none."""
    return tuple(flags.nonzero()[0].tolist()) if flags.any() else None


def apart(one: Tensor, other: Tensor | float, room: Tensor | float) -> tuple[int, ...] | None:
    """Where two tensors first lie more than `room` apart (NaN lies apart from everything), None where they agree."""
    return first_true(~((one - other).abs() <= room))


def inputs_kept(asked: Call, *names: str) -> Checking:
    """The call leaves its arguments as they were; `names` are what the positional ones are called."""
    reply = yield replace(asked, whole=True)
    if reply.changed:
        spoken = {f"argument {index}": name for index, name in enumerate(names, 1)}
        raise Failed(f"the call left {spoken.get(reply.changed[0], reply.changed[0])} changed")


def settings_kept(asked: Call) -> Checking:
    """The call leaves torch's global settings and random state as they were."""
    reply = yield replace(asked, whole=True)
    if reply.state:
        raise Failed(f"the call left torch's {' and '.join(reply.state)} changed")


def settings_ignored(asked: Call) -> Checking:
    """The call gives the same under autocast and under any default dtype that the caller's program has set."""
    for name in ("autocast", "default_bfloat16", "default_float64"):
        yield replace(asked, under=(name,))


def nothing_noted(asked: Call) -> Checking:
    """What the call's context looks out for ("audit", "hoard" or "sizes") is not there."""
    reply = yield replace(asked, whole=True)
    if reply.audit:
        what, line = reply.audit[0]
        raise Failed(f"line {line}: {what}", lines=[{"line": line, "text": what} for what, line in reply.audit])


def on_one_device(draw: Draw, asked: Call, like: Any = None) -> Checking:
    """Every tensor is made where the call says, and no number leaves it.

    `like` has the shape and dtype of the result: with it the call is made on the meta device as well, where that is
    affordable. An argument `device` is meta then.
    """
    given = "device" in asked.kwargs
    kwargs = asked.kwargs | ({"device": "cpu:0"} if given else {})  # with an index, as no answer would write it
    yield from nothing_noted(replace(asked, kwargs=kwargs, under=("audit",)))
    if draw.warm and like is not None:
        kwargs = asked.kwargs | ({"device": "meta"} if given else {})
        yield replace(asked, kwargs=kwargs, want=None, like=like, on="meta")


def no_loop_over(what: str, calls: Mapping[Any, Call], *, spare: int = 2, least: int = 0) -> Checking:
    """No Python loop runs over `what`: larger calls need no more torch functions than the first, but for `spare`.

    `calls` are by their number of `what`. Fewer than `least` torch functions mean that Python itself did the work.
    """
    counts = {}
    for number, asked in calls.items():
        reply = yield replace(asked, under=("count",), whole=True)
        counts[number] = reply.torch_calls
    (small, few), *larger = counts.items()
    for number, count in larger:
        if count > few + spare:
            raise Failed(f"{few} torch calls for {small} {what}, {count} for {number}: a loop runs over {what}")
        if count < least:
            raise Failed(f"{count} torch calls for {number} {what}: Python does the work, not tensor operations")


def exact_in_float64(asked: Call, close: Close) -> Checking:
    """A call with float64 inputs is right, and not only as good as float32.

    What is as good as float32 is judged here, so that a diagnosis need not guess how an answer rounds.
    """
    came = yield replace(asked, within=in_float32(close))
    want = asked.want(*asked.args, **asked.kwargs)
    for one, other in zip(_tensors(came), _tensors(want), strict=True):
        off = (one - other).abs()
        if not bool((off <= close(other, torch.float64)).all()):
            raise Failed(f"the result is only as good as float32: off by up to {float(off.max()):.2g}")
    yield replace(asked, within=close)


def _tensors(value: Any) -> tuple[Tensor, ...]:
    return (value,) if isinstance(value, Tensor) else tuple(value)
