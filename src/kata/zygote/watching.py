"""Modes that watch the torch calls of an answer while it runs."""

import math
import sys
import weakref
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

FACTORIES = {
    torch.arange,
    torch.tensor,
    torch.zeros,
    torch.ones,
    torch.empty,
    torch.full,
    torch.linspace,
    torch.logspace,
    torch.eye,
    torch.rand,
    torch.randn,
    torch.as_tensor,
    torch.from_numpy,
}
LEAVING = {
    torch.Tensor.cpu: ".cpu()",
    torch.Tensor.cuda: ".cuda()",
    torch.Tensor.numpy: ".numpy()",
    torch.Tensor.item: ".item()",
    torch.Tensor.tolist: ".tolist()",
    torch.Tensor.__bool__: "a branch on a tensor's value",
    torch.Tensor.__float__: "float(tensor)",
    torch.Tensor.__int__: "int(tensor)",
}


class Count(TorchFunctionMode):
    """Counts torch calls: the same number at two lengths means that no Python loop runs over positions."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.calls += 1
        return func(*args, **(kwargs or {}))


DEVICE = torch.Tensor.device.__get__
GIVEN = torch.device("cpu", 0)  # what an argument's `.device` says under an audit: one written out has no index
WRITTEN_OUT = "a device that is written out"


class Audit(TorchFunctionMode):
    """Notes tensors made without the device of an argument and calls that leave it, with the learner's line."""

    def __init__(self, filename: str) -> None:
        super().__init__()
        self._filename = filename
        self.hits: list[tuple[str, int]] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if func == DEVICE:
            return GIVEN if result.type == "cpu" else result
        if func in FACTORIES and result.dim():  # a single number fits any device
            self._made(func.__name__, kwargs.get("device"))
        elif func in LEAVING:
            self._note(LEAVING[func])
        elif func is torch.Tensor.to and any(map(_written_out, (*args[1:], *kwargs.values()))):
            self._note(WRITTEN_OUT)
        return result

    def _made(self, name: str, device: Any) -> None:
        if device is None:
            self._note(f"torch.{name}(…) without device=", 3)
        elif _written_out(device):
            self._note(WRITTEN_OUT, 3)

    def _note(self, what: str, up: int = 2) -> None:
        frame = sys._getframe(up)
        while frame is not None and frame.f_code.co_filename != self._filename:
            frame = frame.f_back  # type: ignore[assignment]
        if frame is not None and (hit := (what, frame.f_lineno)) not in self.hits and len(self.hits) < 20:
            self.hits.append(hit)


def _written_out(device: Any) -> bool:
    """Whether this is a device of its own making, and not that of an argument."""
    if not isinstance(device, str | torch.device):
        return False
    found = torch.device(device)
    return found.type == "cpu" and found.index is None


class Hoard(Audit):
    """Notes lines whose results pile up: what a stream of blocks may not do, and one block's work never does."""

    MOST = 12

    def __init__(self, filename: str) -> None:
        super().__init__(filename)
        self._alive: dict[int, int] = {}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        made = result if isinstance(result, tuple | list) else (result,)
        line = self._line()
        for tensor in made:
            if isinstance(tensor, torch.Tensor) and not any(tensor is arg for arg in args):
                self._alive[line] = self._alive.get(line, 0) + 1
                weakref.finalize(tensor, self._gone, line).atexit = False
        if self._alive.get(line, 0) > self.MOST:
            self._note(f"more than {self.MOST} tensors that this line made are kept at the same time")
        return result

    def _line(self) -> int:
        frame = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename != self._filename:
            frame = frame.f_back  # type: ignore[assignment]
        return frame.f_lineno if frame is not None else 0

    def _gone(self, line: int) -> None:
        self._alive[line] -= 1


class Sizes(TorchFunctionMode):
    """Notes lines that make a tensor of more than MOST numbers, also between the steps of an einsum; views make none.

    A TorchDispatchMode would see every step inside torch, but its first use imports 800 modules, a second's work.
    """

    MOST = 2**18

    def __init__(self, filename: str) -> None:
        super().__init__()
        self._filename = filename
        self.hits: list[tuple[str, int]] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        made = result if isinstance(result, tuple | list) else (result,)
        most = max((self._numbers(tensor) for tensor in made if isinstance(tensor, torch.Tensor)), default=0)
        if func is torch.einsum:
            most = max(most, between(*args))
        if most > self.MOST:
            self._note(f"a tensor of more than {self.MOST:,} numbers is made")
        return result

    def _numbers(self, tensor: torch.Tensor) -> int:
        return tensor.untyped_storage().nbytes() // tensor.element_size()

    def _note(self, what: str) -> None:
        frame = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename != self._filename:
            frame = frame.f_back  # type: ignore[assignment]
        hit = what, frame.f_lineno if frame is not None else 0
        if hit not in self.hits and len(self.hits) < 20:
            self.hits.append(hit)


def between(equation: Any, *operands: Any) -> int:
    """The numbers of the largest tensor between the steps of an einsum, which contracts from left to right."""
    if not isinstance(equation, str) or "." in equation:
        return 0
    left, _, out = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    shapes = zip(terms, operands[0] if len(operands) == 1 and len(terms) > 1 else operands, strict=False)
    sizes = {letter: size for term, operand in shapes for letter, size in zip(term, operand.shape, strict=False)}
    kept, most = set(terms[0]), 0
    for index, term in enumerate(terms[1:-1], 2):
        kept = (kept | set(term)) & set("".join(terms[index:]) + out)
        most = max(most, math.prod(sizes.get(letter, 1) for letter in kept))
    return most
