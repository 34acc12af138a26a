"""# Rotary embeddings on a grid: a worked answer

## Step by step

1. Refuse a head_dim without four equal parts, and a number of tokens that isn't the grid's.
2. Number the tokens: t // width is the row, t % width the column.
3. The frequencies are those of a head of D/2 channels: base^(−2j/(D/2)) for j < D/4. One list serves both axes.
4. Put rows and columns side by side, and multiply by the frequencies: angles (seq, 2, D/4).
5. See a head as (2, 2, D/4): which axis of the grid, which member of the pair, which pair. Turning is then one
   formula for both parts, along the axis of the members.

## Key functions

- `unflatten(-1, (2, 2, D/4))` names the three roles that a channel number mixes. Angles lack the members' axis and
  broadcast over it.
- `torch.stack` along the members' axis, and `flatten(-3)`, put everything back in place.

## How to recognise the pattern

Several independent positions share a head by owning channels each: rows and columns of images; time, height and width
of video. It is as if two small heads, each with a rotary embedding of one dimension, had been laid side by side, and
their scores were added.

## What to keep in mind

- On square grids swapping height and width goes unnoticed. Test with 3 by 5.
- With a single row nothing turns in the first half, whatever it should be: test with several rows and columns.
- Each axis has half as many frequencies as problem 29 would have. They still reach from 1 down to almost 1/base. For
  a grid of 16 by 16 most are so slow that they hardly turn, which is why models for images often take a smaller base.
- Nothing here knows the diagonal: a score is a sum of one part that sees rows and one that sees columns.
"""

import torch
from torch import Tensor


def rotary_2d(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """x of shape (batch, heads, height · width, head_dim), turned by rows and by columns."""
    *_, seq, head_dim = x.shape
    if head_dim % 4:
        raise ValueError(f"head_dim must be a multiple of 4, not {head_dim}")
    if seq != height * width:
        raise ValueError(f"{seq} tokens are no grid of {height} by {width}")
    quarter = head_dim // 4
    dtype = torch.promote_types(x.dtype, torch.float32)
    tokens = torch.arange(seq, device=x.device)
    places = torch.stack([tokens // width, tokens % width], -1) if seq else tokens.new_empty(0, 2)  # (seq, 2)
    inv_freq = base ** (-torch.arange(quarter, dtype=dtype, device=x.device) / quarter)
    angles = places[:, :, None].to(dtype) * inv_freq  # (seq, 2, D/4)
    a, b = x.unflatten(-1, (2, 2, quarter)).unbind(-2)  # each (batch, heads, seq, 2, D/4)
    cos, sin = angles.cos(), angles.sin()
    return torch.stack([a * cos - b * sin, b * cos + a * sin], -2).flatten(-3).to(x.dtype)
