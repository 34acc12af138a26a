"""# The table of rotary frequencies: a worked answer

## Step by step

1. Refuse an odd `head_dim`.
2. `torch.arange(0, head_dim, 2)` gives 0, 2, 4, …: that is 2j for every pair. Divided by `head_dim` and negated it
   is the exponent, and `base` raised to it the frequency.
3. A column of positions times a row of frequencies is the table of angles, (max_seq_len, head_dim/2).
4. `torch.polar(length, angle)` makes complex numbers from polar coordinates; all lengths are 1.

## Key functions

- `torch.arange(…, dtype=torch.float32, device=device)`: an integer arange divided by a number would take the default
  dtype, which is bfloat16 in many training scripts.
- `torch.polar(abs, angle)`: the length comes first. Exchanged, every entry would be p·f at the angle of 1 radian.
- `positions[:, None] * frequencies`: an outer product by broadcasting. `torch.outer` gives the same; `@` would be
  rounded under autocast.

## How to recognise the pattern

Whatever depends on sizes alone can be made once and kept: masks, positional tables, windows of a Fourier transform.
Then the questions are always: how large, of which dtype, on which device, and who keeps it? A function that answers
"the caller" to the last one has no state to go stale.

## What to keep in mind

- float32 holds 24 bits: an angle near 4000 is known to about 2·10⁻⁴. Making the angles in float64 and rounding the
  finished numbers costs little and is exact to the last bit everywhere. It was not asked for here, since nobody's
  model needs it.
- In a model of dtype bfloat16 don't cast the table: there is no complex bfloat16, and a buffer that is cast with the
  module loses its digits.
- Some printed versions also lay the angles twice side by side (`cat((freqs, freqs))`). That belongs to the
  rotate-half form with real cosines and sines (problem 29); a complex entry holds both already.
"""

import torch
from torch import Tensor


def rotary_frequencies(
    head_dim: int, max_seq_len: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """A complex table of turns, (max_seq_len, head_dim/2), with e^(i·position·frequency) in it."""
    if head_dim % 2:
        raise ValueError(f"head_dim must be even to form pairs, not {head_dim}")
    exponents = torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim
    positions = torch.arange(max_seq_len, dtype=torch.float32, device=device)
    angles = positions[:, None] * base**-exponents  # (max_seq_len, head_dim/2)
    return torch.polar(torch.ones_like(angles), angles)
