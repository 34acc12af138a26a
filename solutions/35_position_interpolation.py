"""# Position interpolation: a worked answer

## Step by step

1. Refuse what can't be right: an odd `head_dim`, and a `scale` below 1, which would stretch the text instead.
2. The frequencies are those of problem 29, base^(−2i/head_dim).
3. The positions are 0, 1, 2, … divided by `scale`, as floating numbers. That division is the whole idea.
4. Positions times frequencies is the table of angles, (seq, head_dim/2); the largest is (seq − 1)/scale.
5. Turn the two halves by it: (a·cos − b·sin, b·cos + a·sin), and cast to the dtype of `x`.

## Key functions

- `torch.arange(seq, dtype=…) / scale` keeps fractions; `//`, `.long()` and `.int()` lose them, and then `scale`
  neighbours share one position and can't be told apart.
- `torch.arange(0, seq / scale, 1 / scale)` looks like the same, but how many numbers it gives hangs on rounding: now
  and then it is one too many.
- `torch.promote_types(x.dtype, torch.float32)`: positions that lie closer together need their digits even more than
  whole ones. bfloat16 has 8 bits: between 16 and 32 it knows nothing finer than an eighth.

## How to recognise the pattern

A function was learned on an interval and is needed outside of it. Extrapolating asks it about what it never saw;
rescaling the input asks about points *between* those that it saw, at the price of resolution. Images are resized
before they enter a vision model for the same reason, and a vision model's table of learned positions is interpolated
when the image grows.

## What it gives, and what it doesn't

- Scores stay bounded: interpolated attention scores are hundreds of times better bounded than extrapolated ones
  (Chen et al., 2023, section 3), which is why about a thousand steps of fine-tuning are enough there.
- It is not free. *All* pairs are slowed down, the fast ones that tell neighbours apart as well: one step used to be
  1 radian for pair 0 and is 1/scale now. Untuned, the model reads short texts worse than before.
- NTK-aware scaling (problem 36) slows only the slow pairs, by changing `base`; YaRN (problem 37) decides pair by pair.
- A cache of keys that were turned with one scale can't be used with another.
"""

import torch
from torch import Tensor


def position_interpolation(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """x of shape (batch, heads, seq, head_dim), the token at index p turned as if it stood at position p / scale."""
    *_, seq, head_dim = x.shape
    if head_dim % 2:
        raise ValueError(f"head_dim must be even to form pairs, not {head_dim}")
    if not scale >= 1:
        raise ValueError(f"scale must be at least 1, not {scale}")
    half = head_dim // 2
    dtype = torch.promote_types(x.dtype, torch.float32)
    inv_freq = base ** (-torch.arange(half, dtype=dtype, device=x.device) / half)  # (half,)
    positions = torch.arange(seq, dtype=dtype, device=x.device) / scale
    angles = positions[:, None] * inv_freq  # (seq, half)
    cos, sin = angles.cos(), angles.sin()
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(x.dtype)
