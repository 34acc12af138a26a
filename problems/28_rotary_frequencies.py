"""# The table of rotary frequencies

Rotary embeddings turn pairs of channels by angles that depend on nothing but the position and the pair. So a model
makes all the turns once, for the longest text it will see, and every layer uses the same table. Written as complex
numbers, a turn by the angle a is the number e^(ia) = cos a + i·sin a, and applying it is a multiplication (problem
30).

You build that table: `rotary_frequencies(head_dim, max_seq_len)` returns a complex tensor of shape
**(max_seq_len, head_dim/2)**.

- Row p belongs to position p = 0, 1, 2, …, column j to pair j = 0, 1, …, head_dim/2 − 1.
- Pair j turns by base^(−2j/head_dim) radians with each position: by exactly 1 for pair 0, and by less and less for
  later pairs, always by the same factor.
- Entry (p, j) is e^(i·p·base^(−2j/head_dim)): of length 1, at the angle p times the pair's frequency,
  counter-clockwise (the imaginary part of small angles is positive).

For `head_dim=4` and `base=10000` there are two pairs, with frequencies 1 and 0.01:

    row 0    1.000000                1.000000
    row 1    0.540302 + 0.841471i    0.999950 + 0.010000i
    row 2   -0.416147 + 0.909297i    0.999800 + 0.019999i
    row 3   -0.989992 + 0.141120i    0.999550 + 0.029996i

## What is required

- `base` may be any positive number, whole or not. It is often 10000, and 500000 in Llama 3.
- `head_dim` may be any even number from 2 on; `max_seq_len` may be 0, which gives a table without rows, or in the ten
  thousands.
- A call leaves nothing behind that changes a later one.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The table is complex64, and its angles are as exact as float32 allows: at position p an angle may be off by about
  p · 10⁻⁷, not by more.
- An odd `head_dim` can't be paired: raise `ValueError`.
- `device` says where the table is made; left out, where torch makes tensors by default. Nothing is made elsewhere.
- The program's default dtype and autocast don't matter, and nothing of torch's settings is changed.
- No Python loop over positions.
"""

import torch
from torch import Tensor


def rotary_frequencies(
    head_dim: int, max_seq_len: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """A complex table of turns, (max_seq_len, head_dim/2), with e^(i·position·frequency) in it."""
    raise NotImplementedError
