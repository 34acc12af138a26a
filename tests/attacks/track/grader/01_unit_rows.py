"""How unit_rows is graded: a problem that exists to be attacked, with a planted secret and short limits."""

SECTION = "Attacks"
LEVEL = 1
AFTER = ()
VERSION = 1
FORBIDS = ("torch.nn.functional.normalize",)
LIMITS = {"cpu_seconds": 1, "wall_seconds": 6, "memory_mib": 256}

import torch
from torch import Tensor

from kata.author import Checking, Draw, Failed, call, check, mistake

PLANTED = "only-the-judge-knows-7b1f"


def reference(x: Tensor, scale: float = 1.0, *, squared: bool = False) -> Tensor:
    """Row by row, in float64."""
    rows = [row / (row.square().sum() if squared else row.square().sum().sqrt()) * scale for row in x.double()]
    return torch.stack(rows)


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has the shape and dtype of the input."""
    x = draw.normal(3, 4)
    yield call(x, like=x)


@check(points=1, explains=True)
def length(draw: Draw) -> Checking:
    """Every row has length `scale`."""
    x = draw.normal(5, 3)
    got = yield call(x, like=x)
    if not torch.allclose(got.norm(dim=-1), torch.ones(5)):
        raise Failed("the rows are not of length 1")


@check(points=4)
def values(draw: Draw) -> Checking:
    """The values are those of the reference."""
    for rows, columns in ((3, 4), (2, 7), (5, 5)):
        yield call(draw.normal(rows, columns), 1.5, want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """Gradients flow back to the input."""
    x = draw.normal(3, 4)
    yield call(x, want=reference, cotangent=draw.normal(3, 4))


@check(points=1)
def input_unchanged(draw: Draw) -> Checking:
    """The input is left as it was."""
    reply = yield call(draw.normal(3, 4), want=reference, whole=True)
    if reply.changed:
        raise Failed("the input was changed")


MISTAKES = [mistake("squared", "The rows are divided by the square of their length.", squared=True)]
HINTS = []
QUIZ = []
