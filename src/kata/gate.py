"""The one gate before every value: kind, structure, shape, dtype, finite, values; each refusal in its own sentence."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from msgspec import Struct
from msgspec.structs import replace
from torch import Tensor

from kata.author import Failed
from kata.model import Blocks, Close, Ghost, Opaque
from kata.words import describe, finite, kind, number, shape


class Rule(Struct, frozen=True):
    """How strictly to compare: the dtype that float64 stands for, whether it must come back, the tolerance."""

    dtype: torch.dtype
    exact: bool  # craft checks insist on the dtype; required ones compare whatever precision comes back
    close: Close
    on: str = "cpu"  # where the call was made: only on the meta device may a result lack numbers


def floats(value: Any) -> Iterator[torch.dtype]:
    """The dtypes of the floating tensors of a tree, in order; complex ones count as the pairs that they are."""
    match value:
        case Tensor():
            if value.is_floating_point() or value.is_complex():
                yield value.dtype.to_real()
        case tuple() | list():
            for item in value:
                yield from floats(item)
        case Blocks():
            yield from floats(value.blocks)
        case dict():
            for item in value.values():
                yield from floats(item)


def first_dtype(args: Any) -> torch.dtype:
    """The dtype that floating results have: that of the first floating input, float32 where there is none."""
    return next(floats(args), torch.float32)


def compare(got: Any, want: Any, rule: Rule, values: bool = True, path: str = "") -> None:
    """Raises Failed unless `got` has the structure, shapes and dtypes of `want` and (with `values`) its numbers."""
    at = f" in {path}" if path else ""
    match want:
        case Tensor():
            _tensor(got, want, rule, values, at)
        case tuple() | list():
            _sequence(got, want, rule, values, path, at)
        case dict():
            _dict(got, want, rule, values, path, at)
        case float():
            _float(got, want, rule, values, at)
        case _:
            _plain(got, want, values, at)


def _tensor(got: Any, want: Tensor, rule: Rule, values: bool, at: str) -> None:
    if not isinstance(got, Tensor | Ghost):
        raise Failed(f"returned {kind(got)}{at} where a tensor is asked for", got=describe(got))
    _placed(got, rule, at)
    _like(got, want, rule, at)
    if isinstance(got, Ghost):
        return
    if want.is_floating_point() or want.is_complex():
        _finite(got, want, values, at)
    if values:
        _values(got, want, rule, at)


def _placed(got: Tensor | Ghost, rule: Rule, at: str) -> None:
    """A result must be where its call was made, and there alone may it be without numbers."""
    meta = isinstance(got, Ghost) and got.device.startswith("meta")
    if isinstance(got, Ghost) and not meta:
        raise Failed(f"a tensor{at} came back that can't be read: {describe(got)}", got=describe(got))
    if meta and rule.on != "meta":
        text = f"a tensor without numbers{at}, on the meta device, came back: {describe(got)}"
        raise Failed(text, got=describe(got))
    if rule.on == "meta" and not meta:
        raise Failed(f"{describe(got)}{at} came back on the CPU where the meta device is asked for", got=describe(got))


def _like(got: Tensor | Ghost, want: Tensor, rule: Rule, at: str) -> None:
    if tuple(got.shape) != tuple(want.shape):
        raise Failed(
            f"shape {shape(got.shape)}{at} where {shape(want.shape)} is asked for",
            got=describe(got),
            want=shape(want.shape),
        )
    asked = _stands_for(want.dtype, rule.dtype)
    came = getattr(torch, got.dtype.removeprefix("torch."), None) if isinstance(got, Ghost) else got.dtype
    if came != asked and (rule.exact or not _same_kind(came, want.dtype)):
        raise Failed(f"dtype {_short(got.dtype)}{at} where {_short(asked)} is asked for", got=describe(got))


def _stands_for(want: torch.dtype, dtype: torch.dtype) -> torch.dtype:
    """The dtype that must come back: what a reference computes in double precision stands for any."""
    if want == torch.complex128:
        return dtype.to_complex()
    return dtype if want == torch.float64 else want


def _same_kind(came: torch.dtype | None, want: torch.dtype) -> bool:
    """Whether both are real floating numbers, or both complex: then precision alone differs."""
    if came is None:
        return False
    return (came.is_floating_point and want.is_floating_point) or (came.is_complex and want.is_complex)


def _short(dtype: torch.dtype | str) -> str:
    return str(dtype).removeprefix("torch.")


def _finite(got: Tensor, want: Tensor, values: bool, at: str) -> None:
    bad = ~got.isfinite() & want.isfinite() if values else ~got.isfinite()
    if bad.any():
        index = bad.nonzero()[0].tolist()
        which = f" at {index}" if index else ""
        text = f"{number(got[tuple(index)].item())}{which}{at} where a finite number is asked for"
        raise Failed(text, index=index, wrong=int(bad.sum()), of=bad.numel(), shape=list(got.shape))


def _values(got: Tensor, want: Tensor, rule: Rule, at: str) -> None:
    if want.is_floating_point() or want.is_complex():
        wide = torch.complex128 if want.is_complex() else torch.float64
        got, want = got.to(wide), want.to(wide)
        error = excess(got, want, rule.close(want, rule.dtype))
    else:
        error = torch.where(got == want, 0.0, torch.inf)
    bad = ~(error <= 1.0)  # NaN is wrong
    if bad.any():
        raise _wrong(got, want, bad, at)


def excess(got: Tensor, want: Tensor, allowed: Tensor) -> Tensor:
    """The error in units of what is allowed; equal infinities and two NaN agree."""
    same = (got == want) | ((got != got) & (want != want))
    ratio = (got - want).abs() / allowed.clamp_min(torch.finfo(torch.float64).tiny)
    return torch.where(same, torch.zeros_like(ratio), ratio)


def _wrong(got: Tensor, want: Tensor, bad: Tensor, at: str) -> Failed:
    """The refusal of values that differ, with the numbers that the screen shows."""
    index = bad.nonzero()[0].tolist()
    one, other = got[tuple(index)].item(), want[tuple(index)].item()
    many = f"{int(bad.sum()):,} of {bad.numel():,} values are wrong" if bad.numel() > 1 else "the value is wrong"
    where = f"the first at {index} is" if bad.numel() > 1 else "it is"
    text = f"{many}{at}; {where} {number(one)} where {number(other)} is right"
    counts = {"wrong": int(bad.sum()), "of": bad.numel(), "shape": list(got.shape)}
    return Failed(text, index=index, got=finite(one), want=finite(other), **counts, bad=bad, tensors=(got, want))


def _sequence(got: Any, want: Any, rule: Rule, values: bool, path: str, at: str) -> None:
    asked = tuple if isinstance(want, tuple) else list  # a named tuple is a tuple
    if not isinstance(got, asked):
        raise Failed(f"returned {kind(got)}{at} where a {asked.__name__} is asked for", got=describe(got))
    if len(got) != len(want):
        raise Failed(f"a {asked.__name__} of {len(got)}{at} where one of {len(want)} is asked for")
    for index, (one, other) in enumerate(zip(got, want, strict=True)):
        compare(one, other, rule, values, f"{path or 'result'}[{index}]")


def _dict(got: Any, want: dict[Any, Any], rule: Rule, values: bool, path: str, at: str) -> None:
    if not isinstance(got, dict):
        raise Failed(f"returned {kind(got)}{at} where a dict is asked for", got=describe(got))
    lacking, extra = sorted(want.keys() - got.keys(), key=str), sorted(got.keys() - want.keys(), key=str)
    if lacking or extra:
        parts = [f"lacks {key!r}" for key in lacking[:1]] + [f"has {key!r} that nobody asked for" for key in extra[:1]]
        raise Failed(f"the dict{at} {' and '.join(parts)}")
    for key, other in want.items():
        compare(got[key], other, rule, values, f"{path or 'result'}[{key!r}]")


def _float(got: Any, want: float, rule: Rule, values: bool, at: str) -> None:
    if isinstance(got, bool) or not isinstance(got, float | int):
        raise Failed(f"returned {kind(got)}{at} where a float is asked for", got=describe(got))
    if values and not _float_excess(got, want, rule) <= 1.0:
        text = f"{number(_as_float(got))}{at} where {number(want)} is right"
        raise Failed(text, got=finite(_as_float(got)), want=finite(want))


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:  # an int without end
        return math.inf if value > 0 else -math.inf


def _float_excess(got: float, want: float, rule: Rule) -> float:
    one, other = torch.tensor(_as_float(got), dtype=torch.float64), torch.tensor(want, dtype=torch.float64)
    return float(excess(one, other, rule.close(other, rule.dtype)))


def _plain(got: Any, want: Any, values: bool, at: str) -> None:
    if type(got) is not type(want) or isinstance(got, Opaque):
        raise Failed(f"returned {kind(got)}{at} where {kind(want)} is asked for", got=describe(got))
    if values and got != want:
        raise Failed(f"{describe(got)}{at} where {describe(want)} is right", got=describe(got), want=describe(want))


def margin(got: Any, want: Any, rule: Rule) -> float:
    """The worst error of a reply in units of what is allowed; infinite where structure, shape or kind differ."""
    try:
        compare(got, want, replace(rule, close=_anything))
    except Failed:
        return float("inf")
    return max((_margin(one, two, rule) for one, two in _leaves(got, want)), default=0.0)


def _anything(want: Tensor, dtype: torch.dtype) -> Tensor:
    """Allows every finite error, so that what is refused is refused for its kind, its shape or an infinity."""
    return torch.full(want.shape, torch.inf, dtype=torch.float64)


def _leaves(got: Any, want: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(want, tuple | list):
        for one, two in zip(got, want, strict=True):
            yield from _leaves(one, two)
    elif isinstance(want, dict):
        for key, two in want.items():
            yield from _leaves(got[key], two)
    else:
        yield got, want


def _margin(got: Any, want: Any, rule: Rule) -> float:
    if isinstance(got, Ghost) or (isinstance(want, Tensor) and not want.numel()):
        return 0.0
    if isinstance(want, Tensor) and (want.is_floating_point() or want.is_complex()):
        wide = torch.complex128 if want.is_complex() else torch.float64
        error = excess(got.to(wide), want.to(wide), rule.close(want.to(wide), rule.dtype))
        return float(error.detach().nan_to_num(float("inf")).max())
    return _float_excess(got, want, rule) if isinstance(want, float) else 0.0  # all else has been compared exactly
