"""Five small checks, the same as in benchmarks/five_pytest.py."""

SECTION = "Benchmarks"
LEVEL = 1
AFTER = ()
VERSION = 1
FORBIDS = ()
LIMITS = {"cpu_seconds": 4}

import torch
from torch import Tensor

from kata.author import Checking, Draw, call, check, mistake, within

close = within({torch.float32: 1e-5})


def reference(x: Tensor, weight: Tensor, eps: float = 1e-6, *, root: bool = True, mean: bool = True) -> Tensor:
    """In float64, by the definition."""
    x, weight = x.double(), weight.double()
    squares = (x * x).mean(-1, keepdim=True) if mean else (x * x).sum(-1, keepdim=True)
    return x / ((squares + eps).sqrt() if root else squares + eps) * weight


@check(points=1)
def two_axes(draw: Draw) -> Checking:
    """A matrix is normalised row by row."""
    yield call(draw.normal(3, 8), draw.normal(8), want=reference)


@check(points=1)
def three_axes(draw: Draw) -> Checking:
    """So are the last axes of a larger tensor."""
    yield call(draw.normal(2, 5, 7), draw.normal(7), want=reference)


@check(points=1)
def a_large_eps(draw: Draw) -> Checking:
    """A large eps counts."""
    yield call(draw.normal(4, 6), draw.normal(6), 0.5, want=reference)


@check(points=1)
def one_row(draw: Draw) -> Checking:
    """A single vector works."""
    yield call(draw.normal(9), draw.normal(9), want=reference)


@check(points=1)
def gradient(draw: Draw) -> Checking:
    """The gradient is right."""
    yield call(draw.normal(3, 4), draw.normal(4), want=reference, cotangent=draw.normal(3, 4))


MISTAKES = [
    mistake("root_missing", "The mean square divides instead of its root.", root=False),
    mistake("sum_of_squares", "The squares are summed and not averaged.", mean=False),
]
