"""# Frequencies scaled as in Llama 3

A model with rotary embeddings was trained on texts of L tokens (`original_max_len`) and is to read longer ones, by
the factor s (`scale`). Dividing *all* frequencies by s (problem 35) brings every angle back into the known range, but
it also blurs what the fast pairs are good at: telling neighbours apart. And they need no help, since within L tokens
they have gone round many times and have met every angle. Llama 3.1 (Grattafiori et al., 2024, arXiv 2407.21783; the
rule is `rope_type="llama3"` in Hugging Face) therefore leaves fast pairs alone, divides slow ones, and blends in
between.

`llama3_scaling(head_dim, …)` returns the frequencies, a float32 tensor of shape **(head_dim/2,)**. Pair j has at
first

    ω = base^(−2j/head_dim)   radians per token, and so the wavelength   λ = 2π/ω   tokens.

Whether a pair is fast is told by L/λ, the number of times it goes round within L tokens:

- **more than `high_freq_factor` rounds** (λ < L/high): the result is ω.
- **fewer than `low_freq_factor` rounds** (λ > L/low): the result is ω/s.
- **in between**: with t = (L/λ − low)/(high − low), which runs from 0 to 1, the result is (1 − t)·ω/s + t·ω. It is
  the *frequencies* that are blended, and t is linear in the number of *rounds*.

Both edges belong to both sides, as the three rules agree there. L is the length of training, not the new one.

For `head_dim=8`, `base=10000`, `scale=4`, `original_max_len=160` and the factors 1 and 4:

    ω          1          0.1        0.01      0.001
    λ          6.28      62.83     628.3    6283
    rounds    25.46       2.546      0.2546    0.02546
    result     1          0.063662   0.0025    0.00025

## What is required

- `base`, `scale` and both factors may be any positive numbers, whole or not, with low < high; `scale` is at least 1,
  and 1 changes nothing.
- `head_dim` may be any even number from 2 on.
- No pair, or every pair, may be kept, divided or blended.
- Each result is right to about 5 digits of its own, the smallest included.
- A call leaves nothing behind that changes a later one.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result is float32, whatever the program's default dtype is.
- `low_freq_factor` at or above `high_freq_factor`, and an odd `head_dim`, raise `ValueError`.
- `device` says where the result is made; left out, where torch makes tensors by default. Nothing is made elsewhere,
  and nothing depends on how many pairs fall into a band (a GPU would have to stop and count, and `meta` can't).
- Nothing of torch's settings is changed, and no Python loop runs over pairs.
"""

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
    raise NotImplementedError
