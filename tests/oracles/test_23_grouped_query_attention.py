"""The reference of problem 23 against torch's scaled_dot_product_attention with enable_gqa."""

from pathlib import Path

import pytest
import torch
from torch.nn import functional as F

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "23")).references["grouped_query_attention"]


@pytest.mark.parametrize("kv_heads", [1, 2, 3, 6])
@pytest.mark.parametrize("masked", [False, True])
def test_agrees_with_torch(kv_heads: int, masked: bool) -> None:
    """Values and gradients, rows that see nothing included."""
    torch.manual_seed(0)
    shapes = (2, 6, 5, 4), (2, kv_heads, 7, 4), (2, kv_heads, 7, 4)
    inputs = [torch.randn(*shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    mask = torch.rand(2, 6, 5, 7) < 0.3 if masked else None
    want = F.scaled_dot_product_attention(*inputs, attn_mask=mask, enable_gqa=True)
    came = REFERENCE(*inputs, mask)
    torch.testing.assert_close(came, want, rtol=1e-12, atol=1e-12)
    cotangent = torch.randn_like(want)
    for one, other in zip(*(torch.autograd.grad((y * cotangent).sum(), inputs) for y in (came, want)), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-11, atol=1e-12)
