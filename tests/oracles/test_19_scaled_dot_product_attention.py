"""The reference and the worked answer of problem 19 against torch's own attention."""

from pathlib import Path

import pytest
import torch
from torch.nn import functional as F

from kata import track

ROOT = Path(__file__).parents[2]
PROBLEM = track.find(ROOT, "19")
REFERENCE = track.grader(PROBLEM).references["scaled_dot_product_attention"]


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("scale", [None, 0.3, -1.0, 0.0])
def test_agrees_with_torch(masked: bool, scale: float | None) -> None:
    """Values and gradients, with a row that sees nothing among the others."""
    torch.manual_seed(0)
    shapes = (2, 3, 5, 4), (2, 3, 7, 4), (2, 3, 7, 6)
    q, k, v = (torch.randn(s, dtype=torch.float64, requires_grad=True) for s in shapes)
    mask = torch.rand(2, 1, 5, 7) < 0.5 if masked else None
    if mask is not None:
        mask[0, 0, 2] = False
    ours = REFERENCE(q, k, v, mask, scale)
    theirs = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale)
    torch.testing.assert_close(ours, theirs, rtol=1e-12, atol=1e-12)
    weights = torch.randn_like(ours)
    for one, other in zip(
        torch.autograd.grad((ours * weights).sum(), (q, k, v)),
        torch.autograd.grad((theirs * weights).sum(), (q, k, v)),
        strict=True,
    ):
        torch.testing.assert_close(one, other, rtol=1e-11, atol=1e-12)
