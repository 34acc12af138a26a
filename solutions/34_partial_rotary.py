"""# Partial rotary embeddings: a worked answer

## Step by step

1. Refuse a `rotary_dim` that is odd, negative or larger than head_dim.
2. Split the last axis in two: what is turned, and what is passed on.
3. Turn the first part as problem 29 does, with rotary_dim in the place of head_dim everywhere: in the pairs and in the
   exponent.
4. Put the two parts together again with `cat`, which also makes a new tensor where nothing was turned.

## Key functions

- `x.split([rotary_dim, head_dim - rotary_dim], dim=-1)` gives two views; one of them may be empty.
- `torch.cat([turned, rest], dim=-1)` copies both into a new tensor. Cast the turned part back *before*: cat would
  promote the rest to float32, and with bfloat16 the whole would come back wide.
- `chunk(2, dim=-1)` of the turned part gives its halves; of an empty part as well.

## How to recognise the pattern

A part of a vector gets a treatment of its own and the rest is passed through: split, treat, concatenate. Everything in
the treatment must then be written in the *part's* sizes. The mistakes to expect are always the same: a size of the
whole in the formula of the part, the wrong end, and a lost rest.

## What to keep in mind

- `rotary_pct` or `partial_rotary_factor` in a configuration is the share rotary_dim/head_dim: 0.25 in GPT-NeoX.
- The turned part is cheaper to compute, and the rest carries pure content: scores of it are the same at any distance.
  DeepSeek's multi-head latent attention goes further and gives positions a small part of their own.
- With rotary_dim in the exponent the frequencies run from 1 to almost 1/base however small the part is. With head_dim
  the slow ones would be missing: with a quarter of 128 channels the slowest pair would turn with about 10000^(−0.23).
"""

import torch
from torch import Tensor


def partial_rotary(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """x of shape (batch, heads, seq, head_dim), with its first rotary_dim channels turned by their positions."""
    *_, seq, head_dim = x.shape
    if rotary_dim % 2 or not 0 <= rotary_dim <= head_dim:
        raise ValueError(f"rotary_dim must be even and between 0 and {head_dim}, not {rotary_dim}")
    part, rest = x.split([rotary_dim, head_dim - rotary_dim], dim=-1)
    dtype = torch.promote_types(x.dtype, torch.float32)
    pairs = torch.arange(0, rotary_dim, 2, dtype=dtype, device=x.device)
    inv_freq = base ** (-pairs / max(rotary_dim, 1))  # (rotary_dim/2,)
    positions = torch.arange(seq, dtype=dtype, device=x.device)
    angles = positions[:, None] * inv_freq  # (seq, rotary_dim/2)
    cos, sin = angles.cos(), angles.sin()
    first, second = part.chunk(2, dim=-1)
    turned = torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)
    return torch.cat([turned.to(x.dtype), rest], dim=-1)
