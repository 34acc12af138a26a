"""The reference of problem 21 against torch's nn.MultiheadAttention."""

from pathlib import Path

import pytest
import torch
from torch import nn

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "21")).references["multi_head_attention"]


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("heads", [1, 3])
def test_agrees_with_torch(heads: int, bias: bool, masked: bool) -> None:
    """Values and gradients of every parameter; torch's mask says the opposite."""
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(12, heads, bias=bias, batch_first=True, dtype=torch.float64)
    for parameter in theirs.parameters():
        nn.init.normal_(parameter)
    x = torch.randn(2, 5, 12, dtype=torch.float64, requires_grad=True)
    real = torch.tensor([[True, True, False, True, False], [False, True, True, True, True]])
    want, _ = theirs(x, x, x, key_padding_mask=~real if masked else None, need_weights=False)
    weights = theirs.in_proj_weight, theirs.in_proj_bias, theirs.out_proj.weight, theirs.out_proj.bias
    came = REFERENCE(x, *weights, heads, real if masked else None)
    torch.testing.assert_close(came, want, rtol=1e-10, atol=1e-10)
    cotangent = torch.randn_like(want)
    inputs = [x, *theirs.parameters()]
    for one, other in zip(
        torch.autograd.grad((came * cotangent).sum(), inputs),
        torch.autograd.grad((want * cotangent).sum(), inputs),
        strict=True,
    ):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-9)


def test_padding_alone_gives_the_bias() -> None:
    """torch's module gives NaN here, so the rule is tested by itself."""
    x, w = torch.randn(2, 3, 4), torch.randn(12, 4)
    real = torch.tensor([[False, False, False], [True, False, False]])
    came = REFERENCE(x, w, None, torch.eye(4), torch.full((4,), 7.0), 2, real)
    assert (came[0] == 7.0).all()
