"""The reference of problem 24 against torch's scaled_dot_product_attention with the band as its mask."""

from pathlib import Path

import pytest
import torch
from torch.nn import functional as F

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "24")).references["sliding_window_attention"]


@pytest.mark.parametrize("window", [1, 2, 5, 9, 20])
def test_agrees_with_torch(window: int) -> None:
    """Values and gradients."""
    torch.manual_seed(0)
    inputs = [torch.randn(2, 3, 9, 4, dtype=torch.float64, requires_grad=True) for _ in range(3)]
    band = torch.ones(9, 9, dtype=torch.bool).tril().triu(1 - window)
    want = F.scaled_dot_product_attention(*inputs, attn_mask=band)
    came = REFERENCE(*inputs, window)
    torch.testing.assert_close(came, want, rtol=1e-12, atol=1e-12)
    cotangent = torch.randn_like(want)
    for one, other in zip(*(torch.autograd.grad((y * cotangent).sum(), inputs) for y in (came, want)), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-11, atol=1e-12)
