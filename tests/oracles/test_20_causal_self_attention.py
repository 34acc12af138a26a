"""The reference of problem 20 against torch's nn.MultiheadAttention."""

from pathlib import Path

import pytest
import torch
from torch import nn

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "20")).references["causal_self_attention"]


@pytest.mark.parametrize("heads", [1, 3, 12])
def test_agrees_with_torch(heads: int) -> None:
    """Values and the gradient of x, with the same weights."""
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(12, heads, bias=False, batch_first=True, dtype=torch.float64)
    x = torch.randn(2, 5, 12, dtype=torch.float64, requires_grad=True)
    future = torch.ones(5, 5, dtype=torch.bool).triu(1)
    want, _ = theirs(x, x, x, attn_mask=future, need_weights=False)
    came = REFERENCE(x, *theirs.in_proj_weight.chunk(3), theirs.out_proj.weight, heads)
    torch.testing.assert_close(came, want, rtol=1e-12, atol=1e-12)
    cotangent = torch.randn_like(want)
    grads = [torch.autograd.grad((y * cotangent).sum(), x)[0] for y in (came, want)]
    torch.testing.assert_close(*grads, rtol=1e-11, atol=1e-12)
