"""# Rotary embeddings that go on from a cache: a worked answer

## Step by step

1. Refuse a negative `start_pos` and an odd `head_dim`.
2. The frequencies are those of problem 29: base^(−2i/head_dim), one for each pair.
3. The positions are `arange(start_pos, start_pos + seq)`. This is the only line that differs from problem 29. The
   offset is added to the *position*, before it is multiplied by the frequencies: (start_pos + i) · f.
4. The rest is as before: angles, cosines and sines, laid twice side by side, x·cos + partner·sin.

## Key functions

- `torch.arange(start, end)` counts from start up to, and without, end. For seq 0 it is empty.
- A table made once for a longest text would be cut as `table[start_pos : start_pos + seq]`. Beware: a slice that
  reaches beyond the end is silently shorter.

## How to recognise the pattern

Anything that depends on *where* an item stands needs an offset as soon as a sequence is handled in pieces: positions,
masks (problem 4), streaming statistics, random seeds per item, progress bars. The test is always the same: cut the
sequence differently and compare. It is a necessary test and not a sufficient one: when all positions are off by one,
the pieces still fit together. So compare with the uncut function as well.

## What to keep in mind

- The offset is the length of the cache *before* the append. Code that appends first and asks for the length
  afterwards is off by seq, and during decoding, where seq is 1, by just one, which reads well enough to go unnoticed
  for a while.
- Cached keys are never turned again: turning twice is turning by 2p.
- All rows share one `start_pos` here. Texts of different lengths in one batch need an id for each token (problem 31).
- Scores depend on differences only, so a common error of all starts does no harm, until a cache that was filled by
  other code is loaded.
"""

import torch
from torch import Tensor


def rotary_kv_offset(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """x of shape (batch, heads, seq, head_dim), turned as the tokens that follow start_pos cached ones."""
    *_, seq, head_dim = x.shape
    if start_pos < 0:
        raise ValueError(f"start_pos counts cached tokens, it can't be {start_pos}")
    if head_dim % 2:
        raise ValueError(f"head_dim must be even to form pairs, not {head_dim}")
    half = head_dim // 2
    dtype = torch.promote_types(x.dtype, torch.float32)
    inv_freq = base ** (-torch.arange(half, dtype=dtype, device=x.device) / half)  # (half,)
    positions = torch.arange(start_pos, start_pos + seq, dtype=dtype, device=x.device)
    angles = (positions[:, None] * inv_freq).repeat(1, 2)  # (seq, head_dim)
    first, second = x.chunk(2, dim=-1)
    partner = torch.cat([-second, first], dim=-1)
    return (x * angles.cos() + partner * angles.sin()).to(x.dtype)
