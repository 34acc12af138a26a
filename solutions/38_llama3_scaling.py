"""# Frequencies scaled as in Llama 3: a worked answer

## Step by step

1. Refuse what can't be right: an odd `head_dim`, factors that leave no room for a blend.
2. Make the plain frequencies, base^(−2j/head_dim).
3. Count how often each pair goes round within the trained length: rounds = L/λ = L·ω/2π.
4. Map the rounds to t = (rounds − low)/(high − low) and clamp to [0, 1]. That alone makes three bands of one formula:
   t = 1 where a pair is kept, t = 0 where it is divided.
5. Blend: ω·t + ω/s·(1 − t).

## Key functions

- `clamp(0, 1)` replaces two comparisons and two `torch.where`, and shows at once that the rule is continuous.
- `torch.arange(…, dtype=torch.float32, device=device)`: an integer arange divided by a number takes the default
  dtype.

## How to recognise the pattern

"As it is up to here, changed from there on, and gradually in between" is always a weight between 0 and 1, made by a
clamped line, and one blend of two candidates: warm-ups, cross-fades, YaRN (problem 37), mixing of two schedules.
Write the weight first and look at it; then the rest can hardly go wrong.

## What to keep in mind

- With Llama 3.1's numbers (head_dim 128, base 500000) 29 of the 64 pairs are kept, 6 are blended and 29 are divided
  by 8. A test with another seed for x would not notice a wrong blend: compare frequencies, pair by pair.
- YaRN blends with weights that are linear in the *index* of the pair, this rule in the number of rounds; and YaRN
  adds a factor for the scores, this rule does not.
- These frequencies are used for every text, short or long; nothing depends on the current length.
"""

import math

import torch
from torch import Tensor


def llama3_scaling(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    original_max_len: int = 8192,
    device: torch.device | str | None = None,
) -> Tensor:
    """Rotary frequencies, (head_dim/2,): fast ones as they are, slow ones divided by scale, blended in between."""
    if head_dim % 2:
        raise ValueError(f"head_dim must be even to form pairs, not {head_dim}")
    if low_freq_factor >= high_freq_factor:
        raise ValueError(f"low_freq_factor {low_freq_factor} must be below high_freq_factor {high_freq_factor}")
    exponents = torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim
    freqs = base**-exponents  # (head_dim/2,)
    rounds = original_max_len / (2 * math.pi) * freqs
    keep = ((rounds - low_freq_factor) / (high_freq_factor - low_freq_factor)).clamp(0, 1)
    return freqs * keep + freqs / scale * (1 - keep)
