"""The one gate before every value: kind, structure, shape, dtype, finite, values; each refusal in its own sentence."""

from collections.abc import Iterator
from typing import Any

import torch
from msgspec import Struct
from torch import Tensor

from kata.author import Failed
from kata.model import Blocks, Close, Ghost, Opaque
from kata.model import number as finite
from kata.words import describe, kind, number, shape


class Rule(Struct, frozen=True):
    """How strictly to compare: the dtype that float64 stands for, whether it must come back, the tolerance."""

    dtype: torch.dtype
    exact: bool  # craft checks insist on the dtype; required ones compare whatever precision comes back
    close: Close


def floats(value: Any) -> Iterator[torch.dtype]:
    """The dtypes of the floating tensors of a tree, in order."""
    match value:
        case Tensor():
            if value.is_floating_point() or value.is_complex():
                yield value.dtype
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
    if isinstance(got, Ghost):
        _ghost(got, want, rule, at)
        return
    if not isinstance(got, Tensor):
        raise Failed(f"returned {kind(got)}{at} where a tensor is asked for", got=describe(got))
    _like(got, want, rule, at)
    if want.is_floating_point() or want.is_complex():
        _finite(got, want, values, at)
    if values:
        _values(got, want, rule, at)


def _ghost(got: Ghost, want: Tensor, rule: Rule, at: str) -> None:
    if not got.device.startswith("meta"):
        raise Failed(f"a tensor{at} came back that can't be read: {describe(got)}", got=describe(got))
    if got.shape != tuple(want.shape):
        raise Failed(f"shape {shape(got.shape)}{at} where {shape(want.shape)} is asked for", got=describe(got))


def _like(got: Tensor, want: Tensor, rule: Rule, at: str) -> None:
    if got.shape != want.shape:
        raise Failed(
            f"shape {shape(got.shape)}{at} where {shape(want.shape)} is asked for",
            got=describe(got),
            want=shape(want.shape),
        )
    asked = rule.dtype if want.dtype == torch.float64 else want.dtype
    floating = got.is_floating_point() and want.is_floating_point()
    if got.dtype != asked and (rule.exact or not (floating or (got.is_complex() and want.is_complex()))):
        raise Failed(f"dtype {_short(got.dtype)}{at} where {_short(asked)} is asked for", got=describe(got))


def _short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _finite(got: Tensor, want: Tensor, values: bool, at: str) -> None:
    bad = ~got.isfinite() & want.isfinite() if values else ~got.isfinite()
    if bad.any():
        index = bad.nonzero()[0].tolist()
        text = f"{number(got[tuple(index)].item())} at {index}{at} where a finite number is asked for"
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
    if type(got) is not type(want):
        raise Failed(f"returned {kind(got)}{at} where {kind(want)} is asked for", got=describe(got))
    if len(got) != len(want):
        raise Failed(f"a {type(want).__name__} of {len(got)}{at} where one of {len(want)} is asked for")
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
    if values:
        one, other = torch.tensor(float(got), dtype=torch.float64), torch.tensor(want, dtype=torch.float64)
        if not bool(excess(one, other, rule.close(other, rule.dtype)) <= 1.0):
            text = f"{number(float(got))}{at} where {number(want)} is right"
            raise Failed(text, got=finite(float(got)), want=finite(want))


def _plain(got: Any, want: Any, values: bool, at: str) -> None:
    if type(got) is not type(want) or isinstance(got, Opaque):
        raise Failed(f"returned {kind(got)}{at} where {kind(want)} is asked for", got=describe(got))
    if values and got != want:
        raise Failed(f"{describe(got)}{at} where {describe(want)} is right", got=describe(got), want=describe(want))


def margin(got: Any, want: Any, rule: Rule) -> float:
    """The worst error of a reply in units of what is allowed; infinite where structure, shape or kind differ."""
    try:
        compare(got, want, Rule(rule.dtype, rule.exact, _anything))
    except Failed:
        return float("inf")
    return max((_margin(one, two, rule) for one, two in _leaves(got, want)), default=0.0)


def _anything(want: Tensor, dtype: torch.dtype) -> Tensor:
    """Allows every finite error, so that what is refused is refused for its kind, its shape or an infinity."""
    return torch.full_like(want, torch.inf)


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
    same = torch.equal(got, want) if isinstance(want, Tensor) else got == want
    if isinstance(want, float) and not same:
        one, other = torch.tensor(float(got), dtype=torch.float64), torch.tensor(want, dtype=torch.float64)
        return float(excess(one, other, rule.close(other, rule.dtype)))
    return 0.0 if same else float("inf")
