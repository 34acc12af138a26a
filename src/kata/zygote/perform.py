"""Makes one call and tells how it ended; the same code serves a learner's child and the judge's own mistakes."""

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from msgspec import Struct
from torch import Tensor

from kata.model import Call, Line, Raised, Reply
from kata.zygote.arguments import Uses, realise, tensors
from kata.zygote.shortcuts import Shortcuts
from kata.zygote.watching import Audit, Count, Hoard, Sizes

Function = Callable[..., Any]
Explain = Callable[[BaseException], Raised]


class Measured(Struct):
    """What the contexts of a call learn while it runs."""

    torch_calls: int = -1
    audit: tuple[tuple[str, int], ...] = ()
    shortcuts: list[tuple[str, int]] = []
    state: tuple[str, ...] = ()


def reset() -> None:
    """Puts global settings and sources of chance back to where every check starts."""
    torch.set_default_dtype(torch.float32)
    if torch.get_default_device().type != "cpu":
        torch.set_default_device(None)
    torch.set_grad_enabled(True)
    if torch.are_deterministic_algorithms_enabled():  # asking is cheap, setting imports 800 modules
        torch.use_deterministic_algorithms(False)
    if torch.get_num_threads() != 1:
        torch.set_num_threads(1)
    torch.set_autocast_enabled("cpu", False)
    torch.autograd.set_detect_anomaly(False)
    torch.default_generator.manual_seed(0)
    random.seed(0)
    if "numpy.random" in sys.modules:  # importing it costs more than a check
        sys.modules["numpy.random"].seed(0)


def settings() -> dict[str, Any]:
    """The global settings that a call must leave as they are."""
    return {
        "default dtype": torch.get_default_dtype(),
        "default device": str(torch.get_default_device()),
        "grad mode": torch.is_grad_enabled(),
        "inference mode": torch.is_inference_mode_enabled(),
        "deterministic algorithms": torch.are_deterministic_algorithms_enabled(),
        "threads": torch.get_num_threads(),
        "random state": hash(torch.get_rng_state().numpy().tobytes()),
        "autocast": torch.is_autocast_enabled("cpu"),
    }


def perform(function: Function, call: Call, filename: str, explain: Explain, forbids: tuple[str, ...] = ()) -> Reply:
    """Calls `function` as `call` says, on arguments that this call alone may touch; notes forbidden calls."""
    uses, measured = Uses(), Measured()
    args, kwargs = _placed(call)
    watched = [(path, leaf, leaf.clone()) for path, leaf in tensors((args, kwargs))]
    inputs = [leaf for _, leaf, _ in watched if leaf.is_floating_point() or leaf.is_complex()]
    if call.cotangent is not None:
        for leaf in inputs:
            leaf.requires_grad_(True)
    args, kwargs = realise(args, uses), realise(kwargs, uses)
    before = settings()
    try:
        with _watched(forbids, measured, filename), _contexts(call.under, measured, filename):
            value = _called(function, call.under, args, kwargs)
        gradients = _gradients(value, inputs, call.cotangent)
    except BaseException as raised:
        shortcuts = tuple(measured.shortcuts)
        return Reply(
            "raised", raised=explain(raised), used=uses.all(), state=_differing(before, measured), shortcuts=shortcuts
        )
    changed = tuple(name for path, leaf, old in watched for name in _changes(_name(path, call), leaf, old, call))
    return Reply(
        "value",
        value,
        gradients,
        changed=changed,
        state=_differing(before, measured),
        used=uses.all(),
        torch_calls=measured.torch_calls,
        audit=measured.audit,
        shortcuts=tuple(measured.shortcuts),
    )


def _placed(call: Call) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if call.on == "cpu":
        return call.args, call.kwargs
    moved = {id(leaf): leaf.to(call.on) for _, leaf in tensors((call.args, call.kwargs))}

    def place(value: Any) -> Any:
        match value:
            case Tensor():
                return moved[id(value)]
            case tuple():
                return tuple(map(place, value))
            case list():
                return list(map(place, value))
            case dict():
                return {key: place(item) for key, item in value.items()}
        return value

    return place(call.args), place(call.kwargs)


@contextmanager
def _watched(forbids: tuple[str, ...], measured: Measured, filename: str) -> Iterator[None]:
    if not forbids:
        yield
        return
    with Shortcuts(forbids, filename) as mode:
        measured.shortcuts = mode.hits
        yield


@contextmanager
def _default_dtype(dtype: torch.dtype, measured: Measured) -> Iterator[None]:
    old = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        if torch.get_default_dtype() == dtype:
            torch.set_default_dtype(old)
        else:
            measured.state = ("default dtype",)  # also where the call set what was there before this context


@contextmanager
def _contexts(names: tuple[str, ...], measured: Measured, filename: str) -> Iterator[None]:
    """Enters the contexts that a call names: what a caller's program may have switched on, and what we measure."""
    counting, auditing, hoarding, measuring = Count(), Audit(filename), Hoard(filename), Sizes(filename)
    known: dict[str, Callable[[], Any]] = {
        "inference_mode": torch.inference_mode,
        "no_grad": torch.no_grad,
        "autocast": lambda: torch.autocast("cpu", dtype=torch.bfloat16),
        "default_float64": lambda: _default_dtype(torch.float64, measured),
        "default_bfloat16": lambda: _default_dtype(torch.bfloat16, measured),
        "count": lambda: counting,
        "audit": lambda: auditing,
        "hoard": lambda: hoarding,
        "sizes": lambda: measuring,
    }
    with ExitStack() as stack:
        for name in names:
            if name != "vmap":
                stack.enter_context(known[name]())
        yield
    if "count" in names:
        measured.torch_calls = counting.calls
    measured.audit = (*auditing.hits, *hoarding.hits, *measuring.hits)


def _called(function: Function, under: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if "vmap" in under:
        return torch.func.vmap(lambda *batched: function(*batched, **kwargs))(*args)
    return function(*args, **kwargs)


def _gradients(value: Any, inputs: list[Tensor], cotangent: Any) -> tuple[Any, ...] | None:
    """Gradients of the sum of all floating results times their cotangents, one for each floating input."""
    if cotangent is None:
        return None
    results = [leaf for _, leaf in tensors(value)]
    weights = [leaf for _, leaf in tensors(cotangent)]
    fits = len(results) == len(weights) and all(r.shape == w.shape for r, w in zip(results, weights, strict=True))
    pairs = [(r, w.to(r)) for r, w in zip(results, weights, strict=False) if r.requires_grad] if fits else []
    if not pairs or not inputs:
        return tuple(None for _ in inputs)
    with torch.enable_grad():  # the call may have left it off
        sums = [torch.real((r * w).sum()) for r, w in pairs]  # scalars: grad_outputs would import sympy, 0.3 s
    return torch.autograd.grad(sums, inputs, allow_unused=True)


def _changes(name: str, leaf: Tensor, old: Tensor, call: Call) -> Iterator[str]:
    """What the call left different about one input: its values, its .grad, whether it requires a gradient."""
    if _differs(leaf, old):
        yield name
    if leaf.is_leaf and leaf.grad is not None:  # no input arrives with one
        yield f".grad of {name}"
    if call.cotangent is None and leaf.requires_grad:
        yield f"requires_grad of {name}"


def _differs(leaf: Tensor, old: Tensor) -> bool:
    if leaf.device.type == "meta":
        return False
    with torch.no_grad():
        if leaf.shape != old.shape or leaf.dtype != old.dtype:
            return True
        return not bool(((leaf == old) | ((leaf != leaf) & (old != old))).all())


def _differing(before: dict[str, Any], measured: Measured) -> tuple[str, ...]:
    after = settings()
    return tuple(name for name, value in before.items() if after[name] != value or name in measured.state)


def _name(path: str, call: Call) -> str:
    """A path in (args, kwargs) in words: `[0][1]` is the second positional argument."""
    return (
        f"argument {int(path[4:].split(']')[0]) + 1}" if path.startswith("[0]") else path[3:].split("]")[0].strip("['")
    )


def plain(raised: BaseException) -> Raised:
    """An exception without its lines, for code that has no learner."""
    kinds = tuple(kind.__name__ for kind in type(raised).__mro__[:-1])
    return Raised(kinds, said(raised), tuple[Line, ...]())


def said(raised: BaseException) -> str:
    """An exception's text, cut and in characters that can be sent; never raises."""
    try:
        return str(raised)[:2000].encode("utf-8", "backslashreplace").decode()
    except BaseException as worse:
        return f"(its text can't be read: __str__ raised {type(worse).__name__})"
