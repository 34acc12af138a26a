"""# YaRN

A rotary model is to read texts `scale` times as long as those it was trained on. Position interpolation (problem 35)
slows down all pairs of channels alike, NTK-aware scaling (problem 36) the later ones more and more. YaRN (Peng et al.,
2023, arXiv 2309.00071) looks at what each pair has seen in training: how many full turns it made within
`original_max_len`, the trained length.

- A **fast** pair made many turns. It has met every angle, and tells neighbours apart: it stays as it is.
- A **slow** pair did not even finish one turn. Longer texts would show it angles that it never met: it is slowed down
  by all of `scale`, as position interpolation would.
- Between them the two are blended.

`yarn_scaling` returns a tuple: the frequencies of all pairs, a tensor of shape **(head_dim/2,)**, and a **float**, the
attention factor. This is the form that libraries use, Hugging Face's `rope_type="yarn"`:

1. Unscaled, pair j = 0, 1, … has the frequency f_j = base^(−2j/head_dim). Within `original_max_len` = L tokens it makes
   L·f_j/2π turns. Solved for j, with fractions, the pair that makes r turns is
   **c(r) = head_dim · ln(L/(2πr)) / (2 · ln base)**.
2. The blend begins at **low** = c(beta_fast), rounded *down* and at least 0, and ends at **high** = c(beta_slow),
   rounded *up* and at most head_dim − 1 (not head_dim/2 − 1: that is how the published code has it). Should the two be
   equal, high is raised by 0.001.
3. The share of pair j is **(j − low)/(high − low)**, held between 0 and 1.
4. Its new frequency is **f_j · (1 − share) + (f_j / scale) · share**.
5. The attention factor is **0.1 · ln(scale) + 1**. Whoever turns queries and keys multiplies cosines and sines by it,
   so scores grow by its square; that is not done here.

(The paper's own formula lets the share grow linearly with the number of turns instead of with j. The frequencies in
between can differ by more than half. The form above is asked for.)

For `head_dim=16`, `scale=4`, `original_max_len=2048`, `base=10000`, `beta_fast=32` and `beta_slow=1`, c(32) is 2.016
and c(1) is 5.026, so low is 2, high is 6, and the attention factor 1.138629:

    pair         0         1         2         3          4          5          6          7
    unscaled     1.000000  0.316228  0.100000  0.0316228  0.0100000  0.0031623  0.0010000  0.00031623
    share        0         0         0         0.25       0.5        0.75       1          1
    YaRN         1.000000  0.316228  0.100000  0.0256935  0.0062500  0.0013835  0.0002500  0.00007906

## What is required

- What comes back is a tuple of a tensor and a Python float, a number and no tensor.
- `scale` is any number from 1 on, whole or not; with 1 the frequencies are the unscaled ones and the factor is 1.
- `head_dim` may be any even number from 4 on, `base` any number above 1.
- `beta_fast` is larger than `beta_slow`, and both are positive; low is never above high in what is asked.
- Every frequency is right to a relative error of 10⁻⁵.
- A call leaves nothing behind that changes a later one.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The frequencies are float32.
- An odd `head_dim` and a `scale` below 1 raise `ValueError`.
- `device` says where the tensor is made; left out, where torch makes tensors by default. Nothing is made elsewhere.
- The program's default dtype and autocast don't matter, and nothing of torch's settings is changed.
- No Python loop makes a tensor for each pair.
"""

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
    raise NotImplementedError
