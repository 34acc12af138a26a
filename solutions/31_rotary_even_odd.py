"""# Rotary embeddings, written out for even and odd channels: a worked answer

## Step by step

1. Refuse an odd `head_dim`.
2. One frequency for each pair: base^(−2j/head_dim), head_dim/2 of them.
3. Every id times every frequency: (batch, seq, head_dim/2). The ids come in as whole numbers and go to float32
   (float64 for float64 inputs) *before* they are multiplied.
4. Insert an axis for heads, (batch, 1, seq, head_dim/2): then the same cosines and sines broadcast over the heads of
   q and over those of k, however many there are.
5. Slice with a step of two: `[..., 0::2]` are the even channels, `[..., 1::2]` the odd ones. Compute *both* new ones
   from both old ones before anything is stored.
6. Stack the two along a new last axis and flatten it away: e₀ o₀ e₁ o₁ …. (`cat` would put all even ones first, the
   layout of problem 29.)

## Key functions

- `x[..., 0::2]` is a view; writing to it writes to x.
- `torch.stack([even, odd], dim=-1).flatten(-2)` interleaves.
- `position_ids[:, None, :, None] * inv_freq` makes all angles at once by broadcasting: (batch, 1, seq, head_dim/2).

## How to recognise the pattern

Whenever code asks "which position?", there are two answers: the index along the axis, or a number that comes with the
token. The second covers the first and survives padding, packing, caching and reordering. Write the core of a function
for given positions and derive the simple case with `arange`.

## What to keep in mind

- A single line even·cos − odd·sin yields half as many channels, loses lengths, and its scores are *not* relative.
- [e′, o′] joined as halves gives the same scores as long as q and k are treated alike, so a whole model trained that
  way works; but weights can't be exchanged with code that writes them interleaved.
- Scores see only differences of ids: adding a constant to all ids of a text changes no score. That is why padding at
  the left is harmless with any start, as long as the ids go up by one.
"""

import torch
from torch import Tensor


def rotary_even_odd(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> tuple[Tensor, Tensor]:
    """q (batch, heads, seq, head_dim) and k (batch, kv_heads, seq, head_dim), turned by their tokens' positions."""
    head_dim = q.shape[-1]
    if head_dim % 2:
        raise ValueError(f"head_dim must be even to form pairs, not {head_dim}")
    dtype = torch.promote_types(q.dtype, torch.float32)
    exponents = torch.arange(0, head_dim, 2, dtype=dtype, device=q.device) / head_dim
    angles = position_ids[:, None, :, None].to(dtype) * base**-exponents  # (batch, 1, seq, head_dim/2)
    cos, sin = angles.cos(), angles.sin()
    return _turned(q, cos, sin), _turned(k, cos, sin)


def _turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """(batch, heads, seq, head_dim), its neighbouring channels turned as pairs."""
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return turned.flatten(-2).to(x.dtype)
