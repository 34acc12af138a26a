"""The reference of problem 25 against torch's scaled_dot_product_attention, whose bias holds logarithms of weights."""

from pathlib import Path

import pytest
import torch
from torch.nn import functional as F

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "25")).references["linear_attention"]


@pytest.mark.parametrize("causal", [True, False])
def test_agrees_with_torch(causal: bool) -> None:
    """Values and gradients, with no eps: exp(0 + log w) over its sum is w over its sum."""
    torch.manual_seed(0)
    shapes = (2, 3, 9, 4), (2, 3, 9, 4), (2, 3, 9, 5)
    q, k, v = inputs = [torch.randn(*shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    bias = ((F.elu(q) + 1) @ (F.elu(k) + 1).mT).log()
    bias = bias.masked_fill(torch.ones(9, 9, dtype=torch.bool).triu(1), -torch.inf) if causal else bias
    want = F.scaled_dot_product_attention(torch.zeros_like(q), torch.zeros_like(k), v, attn_mask=bias)
    came = REFERENCE(q, k, v, causal, 0.0)
    torch.testing.assert_close(came, want, rtol=1e-12, atol=1e-12)
    cotangent = torch.randn_like(want)
    for one, other in zip(*(torch.autograd.grad((y * cotangent).sum(), inputs) for y in (came, want)), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-11)
