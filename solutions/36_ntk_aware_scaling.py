"""# NTK-aware scaling: a worked answer

## Step by step

1. Refuse what can't be right: an odd `head_dim`, one below 4, a `scale` below 1.
2. Where does the exponent come from? The last pair is j = d/2 − 1, and its exponent is −2j/d = −(d − 2)/d. Raising the
   base by a factor c slows that pair down by c^((d − 2)/d). That is to be `scale`, so c = scale^(d/(d − 2)).
3. Compute the new base as a Python number. It is one number, and Python's floats are float64.
4. The frequencies are those of problem 28 with the new base: b^(−2j/d).

## Key functions

- `torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim` is 2j/d for every pair.
- `number ** -tensor` raises one number to many powers. In float32 the exponents are rounded, and with a large base
  that costs a few units in the sixth digit; `torch.float64` inside and one cast at the end costs nothing here.
- The other way to see it: pair j is slowed down by scale^(2j/(d − 2)), the j-th step of a geometric row from 1 to
  `scale`.

## How to recognise the pattern

One parameter of a family (here the base) is free, and one condition is to hold at one end (the last pair slows down by
`scale`) while the other end is fixed by the family (pair 0 has the exponent 0 and never changes). Write the condition
down and solve for the parameter; don't guess exponents. Testing both ends is then testing everything.

## What to keep in mind

- It works without fine-tuning, somewhat: Peng et al. (2023) find it better than position interpolation untuned, and
  worse after fine-tuning, since some pairs are slowed down by less than they need and leave their trained range. So
  the `scale` that is set is usually larger than the ratio of the lengths.
- Between the ends nothing is exact: pairs that had made only part of a turn in training should be slowed down by all
  of `scale`, and only the last one is. YaRN (problem 37) decides pair by pair.
- In the *dynamic* form `scale` changes while a text grows, and keys that were cached with an earlier one no longer
  match. Cache them before they are turned, or fix `scale` for a text.
- Code Llama set the base to 1,000,000 and Llama 3 to 500,000 from the start: the same idea, trained in.
"""

import torch
from torch import Tensor


def ntk_aware_scaling(
    head_dim: int, scale: float, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """The frequencies of all pairs, (head_dim/2,): the first as without scaling, the last `scale` times slower."""
    if head_dim < 4 or head_dim % 2:
        raise ValueError(f"head_dim must be even and at least 4, not {head_dim}")
    if not scale >= 1:
        raise ValueError(f"scale must be at least 1, not {scale}")
    raised = float(base) * scale ** (head_dim / (head_dim - 2))
    exponents = torch.arange(0, head_dim, 2, dtype=torch.float64, device=device) / head_dim  # (head_dim/2,)
    return (raised**-exponents).float()
