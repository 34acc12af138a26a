"""The reference of problem 27 against torch's own embedding."""

from pathlib import Path

import torch
from torch.nn import functional as F

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "27")).references["learned_positional_embedding"]


def test_agrees_with_torch() -> None:
    """Values and gradients, for starts up to the end of the table."""
    torch.manual_seed(0)
    x = torch.randn(3, 4, 5, dtype=torch.float64, requires_grad=True)
    table = torch.randn(9, 5, dtype=torch.float64, requires_grad=True)
    for start in (0, 2, 5):
        ours, theirs = REFERENCE(x, table, start), x + F.embedding(torch.arange(start, start + 4), table)
        torch.testing.assert_close(ours, theirs)
        weights = torch.randn_like(ours)
        for one, other in zip(
            torch.autograd.grad((ours * weights).sum(), (x, table)),
            torch.autograd.grad((theirs * weights).sum(), (x, table)),
            strict=True,
        ):
            torch.testing.assert_close(one, other)
