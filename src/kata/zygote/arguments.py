"""What a call's arguments become where the call is made: iterators, functions and generators come alive."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from kata.model import Blocks, Given, Seeded, Used


class Uses:
    """Counts how often blocks were drawn and given functions called."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def one(self, name: str) -> None:
        """Notes one more use of `name`."""
        self._counts[name] = self._counts.get(name, 0) + 1

    def all(self) -> tuple[Used, ...]:
        """Everything counted so far."""
        return tuple(Used(name, count) for name, count in self._counts.items())


def realise(value: Any, uses: Uses) -> Any:
    """The same tree with every Blocks, Given and Seeded turned into what the learner's function takes."""
    match value:
        case Blocks():
            return _blocks(value, uses)
        case Given():
            return _given(value, uses)
        case Seeded():
            return torch.Generator().manual_seed(value.seed)
        case tuple():
            return tuple(realise(item, uses) for item in value)
        case list():
            return [realise(item, uses) for item in value]
        case dict():
            return {key: realise(item, uses) for key, item in value.items()}
    return value


def _blocks(value: Blocks, uses: Uses) -> Iterator[Any]:
    """Yields each block once and spoils it when the next is drawn, as a kernel's buffer would be."""
    last: Any = None
    for block in value.blocks:
        uses.one("blocks")
        _spoil(last)
        last = block
        yield block


def _spoil(block: Any) -> None:
    for _, leaf in tensors(block):
        if leaf.is_floating_point() or leaf.is_complex():
            leaf.fill_(math.nan)
        else:
            leaf.bitwise_not_()  # whole numbers have no NaN: every bit is wrong


def _given(value: Given, uses: Uses) -> Callable[..., Any]:
    space: dict[str, Any] = {
        "torch": torch,
        "math": math,
        "Tensor": Tensor,
        "given": lambda function: function,
    }
    exec(compile(value.source, f"<{value.name}>", "exec"), space)  # the problem's own source, sent by the judge

    def counted(*args: Any, **kwargs: Any) -> Any:
        uses.one(value.name)
        return space[value.name](*args, **kwargs)

    return counted


def tensors(value: Any, path: str = "") -> Iterator[tuple[str, Tensor]]:
    """Every tensor of a tree with its path; those inside iterators are not reached."""
    match value:
        case Tensor():
            yield path, value
        case tuple() | list():
            for index, item in enumerate(value):
                yield from tensors(item, f"{path}[{index}]")
        case dict():
            for key, item in value.items():
                yield from tensors(item, f"{path}[{key!r}]")
