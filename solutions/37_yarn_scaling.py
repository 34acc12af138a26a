"""# YaRN: a worked answer

## Step by step

1. Refuse what can't be right: an odd `head_dim`, a `scale` below 1.
2. One small function for c(r). Where does it come from? Pair j makes L·base^(−2j/d)/2π turns; set that to r and solve
   for j: base^(2j/d) = L/(2πr), take logarithms, and 2j/d · ln base = ln(L/(2πr)).
3. The bounds are two Python numbers: floor and ceil of `math`, held within 0 and d − 1.
4. The shares are a row that climbs from 0 to 1 between the bounds: subtract, divide, clamp.
5. Blend unscaled and fully scaled frequencies by the shares. `torch.lerp` would do it in one call.
6. The factor is one number for all pairs and needs no tensor.

## Key functions

- `math.log` is the natural logarithm. In c(r) the two logarithms only need to be alike; in the factor it must be the
  natural one.
- `math.floor` and `math.ceil` give ints; `int()` cuts toward zero, which is not down for negative numbers (clamped
  away here).
- `tensor.clamp(0, 1)` holds a row within bounds.
- float64 inside and one cast at the end: the table is tiny, and exact.

## How to recognise the pattern

Two recipes are right at two ends of a scale, and neither is right everywhere: find the quantity that tells which end
one is at (here: turns within the trained length), and blend between two thresholds. Learning-rate warmups, mipmaps and
cross-fades are built alike: a clamped ramp, and a weighted mean.

## What to keep in mind

- `original_max_len` is the length of the *training*. Configurations hold both lengths, and the new one in its place
  shifts both bounds by the same number of pairs.
- The factor makes attention sharper: with more tokens the softmax spreads its weight over more of them. It multiplies
  cosines *and* sines, for queries and for keys, hence scores by its square. It is not applied twice.
- Other variants of the code leave out floor and ceil (`truncate: false`), take other factors (DeepSeek's `mscale`), or
  clamp elsewhere. A checkpoint belongs to the variant that it was tuned with.
- The paper reports that this needs about a tenth of the tokens that position interpolation needs for fine-tuning, and
  that it works somewhat without any.
"""

import math

import torch
from torch import Tensor


def yarn_scaling(
    head_dim: int,
    scale: float,
    original_max_len: int,
    base: float = 10000.0,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
    device: torch.device | str | None = None,
) -> tuple[Tensor, float]:
    """The frequencies of all pairs, (head_dim/2,), and the factor for cosines and sines."""
    if head_dim % 2:
        raise ValueError(f"head_dim must be even to form pairs, not {head_dim}")
    if not scale >= 1:
        raise ValueError(f"scale must be at least 1, not {scale}")

    def pair_that_makes(turns: float) -> float:
        return head_dim * math.log(original_max_len / (2 * math.pi * turns)) / (2 * math.log(base))

    low: float = max(math.floor(pair_that_makes(beta_fast)), 0)
    high: float = min(math.ceil(pair_that_makes(beta_slow)), head_dim - 1)
    if low == high:
        high += 0.001
    pairs = torch.arange(head_dim // 2, dtype=torch.float64, device=device)
    unscaled = base ** (-2 * pairs / head_dim)
    share = ((pairs - low) / (high - low)).clamp(0, 1)  # 0 where a pair stays as it is
    frequencies = unscaled * (1 - share) + unscaled / scale * share
    return frequencies.float(), 0.1 * math.log(scale) + 1
