"""A callee in our own process: for known mistakes, accepted variants, and a learner's own notebook."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

import torch
from msgspec.structs import replace
from torch import Tensor

from kata.gate import first_dtype
from kata.model import Call, Error, Ghost, Grader, Mistake, Raised, Reply
from kata.zygote.perform import perform, plain, reset
from kata.zygote.tree import copy

Functions = Mapping[str, Callable[..., Any]]


class Inline:
    """Makes calls on functions that `make` returns anew for every check."""

    def __init__(self, make: Callable[[], Functions], filename: str = "", forbids: tuple[str, ...] = ()) -> None:
        self._make, self._filename, self._forbids = make, filename, forbids
        self.shortcuts: set[tuple[str, int]] = set()
        self._functions: Functions = {}
        self._call: Call | None = None
        self.explain: Callable[[BaseException], Raised] = plain

    def fresh(self) -> Error | Reply | None:
        """Makes the functions anew."""
        reset()
        self._functions = self._make()
        return None

    def send(self, call: Call) -> None:
        """Remembers the call."""
        self._call = call

    def receive(self) -> Reply:
        """Makes the call, on clones of its arguments."""
        assert self._call is not None
        call = self._call
        args, kwargs, cotangent = copy((call.args, call.kwargs, call.cotangent))
        function = self._functions[call.function or next(iter(self._functions))]
        own = Call(args, kwargs, cotangent=cotangent, under=call.under, on=call.on)
        reply = perform(function, own, self._filename, self.explain, self._forbids)
        reset()  # the judge that drives this call lives here too
        self.shortcuts.update(reply.shortcuts)
        gradients = None if reply.gradients is None else _detached(reply.gradients)
        return replace(reply, value=_detached(reply.value), gradients=gradients)

    def take_output(self) -> str:
        """Nothing is captured here."""
        return ""


def _detached(value: Any) -> Any:
    match value:
        case Tensor() if value.device.type != "cpu" or value.layout != torch.strided:
            return Ghost(str(value.dtype), tuple(value.shape), str(value.device))  # as the wire would have it
        case Tensor():
            return value.detach()
        case tuple():
            return tuple(map(_detached, value))
        case list():
            return list(map(_detached, value))
        case dict():
            return {key: _detached(item) for key, item in value.items()}
    return value


def functions_of(grader: Grader, mistake: Mistake) -> Functions:
    """The problem's functions as someone would have them who made this mistake and no other."""
    functions = {name: turned(reference, mistake.knobs) for name, reference in grader.references.items()}
    if mistake.make is not None:
        functions[mistake.function or grader.problem.functions[0]] = mistake.make()
    return functions


def turned(reference: Callable[..., Any], knobs: dict[str, Any]) -> Callable[..., Any]:
    """The reference with some knobs turned, its float64 results in the dtype that an answer would return."""
    names = reference.__kwdefaults__ or {}
    own = {name: value for name, value in knobs.items() if name in names}

    def function(*args: Any, **kwargs: Any) -> Any:
        first, args = _peeked(args)
        return cast(reference(*args, **kwargs, **own), first_dtype((first, args, kwargs)))

    return function


def _peeked(args: tuple[Any, ...]) -> tuple[list[Any], tuple[Any, ...]]:
    """The first item of every iterator among the arguments (it tells the dtype), and the arguments with it put back."""
    firsts = [list(islice(arg, 1)) if isinstance(arg, Iterator) else [] for arg in args]
    return firsts, tuple(chain(one, arg) if one else arg for one, arg in zip(firsts, args, strict=True))


def cast(value: Any, dtype: torch.dtype) -> Any:
    """A tree whose float64 tensors have become `dtype`, as the references' results stand for any precision."""
    match value:
        case Tensor() if value.dtype == torch.float64:
            return value.to(dtype)
        case tuple():
            return tuple(cast(item, dtype) for item in value)
        case list():
            return [cast(item, dtype) for item in value]
        case dict():
            return {key: cast(item, dtype) for key, item in value.items()}
    return value
