"""# Sinusoidal positional encoding: a worked answer

## Step by step

1. Refuse an odd `d_model`.
2. `torch.arange(0, d_model, 2)` gives 0, 2, 4, …: that is 2i for every pair. Divided by d_model and negated it is the
   exponent; base raised to it is the frequency.
3. A column of positions times a row of frequencies: all angles, (seq_len, d_model/2).
4. Lay sine and cosine of each angle side by side along a new last axis, (seq_len, d_model/2, 2), and merge the last
   two axes: sin, cos, sin, cos, ….

## Key functions

- `torch.stack([a, b], dim=-1).flatten(-2)` interleaves two tensors. `torch.cat` would put one behind the other.
- Or make an empty table and fill `table[:, 0::2]` and `table[:, 1::2]`.
- `torch.arange(…, dtype=torch.float32, device=device)`: whole numbers divided by a number would take the default
  dtype.

## How to recognise the pattern

A number that may be large is to be told to a network whose inputs should be of size 1: write it in digits. Sines and
cosines of many frequencies are digits of a smooth kind: the fast pairs tell neighbours apart, the slow ones tell far
regions apart. The same table encodes the time in diffusion models and coordinates in neural fields.

## What it gives, and what it doesn't

- The dot product of two rows is Σ cos((p − q)·f): it depends on the offset alone. And a row p + k is a linear map of
  row p that doesn't depend on p: each pair is turned by k·f. Rotary embeddings turn queries and keys by these very
  angles.
- Every row has the length √(d_model/2): sin² + cos² = 1 for each pair. Embeddings are often scaled by √d_model
  before the two are added, so that positions don't drown them.
- There is a row for every position, also beyond all trained ones; what a model makes of rows it never saw is another
  question. Measured, models get worse soon after the trained length (Press et al., 2021, arXiv 2108.12409).
"""

import torch
from torch import Tensor


def sinusoidal_positional_encoding(
    seq_len: int, d_model: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """A table of sines and cosines, alternating along d_model, of shape (seq_len, d_model)."""
    if d_model % 2:
        raise ValueError(f"d_model must be even, a cosine for each sine, not {d_model}")
    exponents = torch.arange(0, d_model, 2, dtype=torch.float32, device=device) / d_model
    positions = torch.arange(seq_len, dtype=torch.float32, device=device)
    angles = positions[:, None] * base**-exponents  # (seq_len, d_model/2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
