"""# Sinusoidal positional encoding

Attention doesn't notice in which order its tokens come. The first Transformer (Vaswani et al., 2017) tells it by
*adding* a vector to every token that depends on the token's position alone. The vectors are not learned: their
channels are sines and cosines of the position, fast ones first and slow ones last, so that together they read like
the hands of a clock with many hands.

You make the table of these vectors: `sinusoidal_positional_encoding(seq_len, d_model)` returns a tensor of shape
**(seq_len, d_model)**, one row for each position p = 0, 1, 2, …. It is added to the tokens elsewhere.

- Channels 2i and 2i + 1 form pair i, for i = 0, 1, …, d_model/2 − 1. **Sine and cosine alternate:**

      channel 2i       sin(p · base^(−2i/d_model))
      channel 2i + 1   cos(p · base^(−2i/d_model))

  Both channels of a pair have the *same* frequency. (The code that came with the paper puts all sines in front and
  all cosines behind, and lets the frequencies reach 1/base exactly. That is another table; here the formula of the
  paper counts.)
- Pair 0 moves on by one radian with each position; every later pair is slower by the same factor.

For `seq_len=3`, `d_model=4` and `base=10000` (frequencies 1 and 0.01):

    row 0    0.000000   1.000000   0.000000   1.000000
    row 1    0.841471   0.540302   0.010000   0.999950
    row 2    0.909297  -0.416147   0.019999   0.999800

## What is required

- `base` may be any positive number, whole or not.
- `d_model` may be any even number from 2 on; `seq_len` may be 0, which gives a table without rows, or in the ten
  thousands.
- A call leaves nothing behind that changes a later one.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The table is float32, and as exact as angles in float32 allow: at position p an angle may be off by about p · 10⁻⁷.
- An odd `d_model` leaves a sine without its cosine: raise `ValueError`.
- `device` says where the table is made; left out, where torch makes tensors by default. Nothing is made elsewhere.
- The program's default dtype and autocast don't matter, and nothing of torch's settings is changed.
- No Python loop over positions.
"""

import torch
from torch import Tensor


def sinusoidal_positional_encoding(
    seq_len: int, d_model: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """A table of sines and cosines, alternating along d_model, of shape (seq_len, d_model)."""
    raise NotImplementedError
