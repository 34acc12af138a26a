"""The reference of problem 22 against torch's nn.MultiheadAttention, where that can say it: width = d_model."""

from pathlib import Path

import pytest
import torch
from torch import nn

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "22")).references["cross_attention"]


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("heads", [1, 3])
def test_agrees_with_torch(heads: int, masked: bool) -> None:
    """Values and gradients of x, the context and every parameter; torch's mask says the opposite."""
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(12, heads, bias=False, kdim=7, vdim=7, batch_first=True, dtype=torch.float64)
    x = torch.randn(2, 5, 12, dtype=torch.float64, requires_grad=True)
    context = torch.randn(2, 4, 7, dtype=torch.float64, requires_grad=True)
    visible = torch.tensor([[True, True, False, True], [False, True, True, True]])
    hidden = ~visible if masked else None
    want, _ = theirs(x, context, context, key_padding_mask=hidden, need_weights=False)
    weights = theirs.q_proj_weight, theirs.k_proj_weight, theirs.v_proj_weight, theirs.out_proj.weight
    came = REFERENCE(x, context, *weights, heads, visible if masked else None)
    torch.testing.assert_close(came, want, rtol=1e-11, atol=1e-11)
    cotangent = torch.randn_like(want)
    inputs = [x, context, *theirs.parameters()]
    for one, other in zip(
        torch.autograd.grad((came * cotangent).sum(), inputs),
        torch.autograd.grad((want * cotangent).sum(), inputs),
        strict=True,
    ):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-10)
