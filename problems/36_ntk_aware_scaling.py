"""# NTK-aware scaling

Position interpolation (problem 35) slows every pair of channels down alike, the fast ones that tell neighbouring
tokens apart as well. NTK-aware scaling (bloc97, 2023; Peng et al., *YaRN*, arXiv 2309.00071, section 3.1) extends the
context of a rotary model without touching them: it raises the **base**, so that the first pair keeps its speed, the
last one is slowed down by the full factor `scale`, and those between are slowed down more and more.

`ntk_aware_scaling(head_dim, scale)` returns the frequencies, a tensor of shape **(head_dim/2,)**: how many radians
pair j = 0, 1, …, head_dim/2 − 1 turns with each position.

- Without scaling, pair j has the frequency base^(−2j/head_dim): 1 for pair 0, then less and less.
- With scaling it has b^(−2j/head_dim), where b is the base times a power of `scale`:
  **b = base · scale^(head_dim/(head_dim − 2))**. The exponent is chosen so that the last pair, j = head_dim/2 − 1,
  comes out exactly `scale` times slower than without scaling.

For `head_dim=8` and `base=10000`, unscaled and with `scale=4`:

    pair           0            1            2            3
    unscaled       1.000000     0.100000     0.010000     0.001000
    scale 4        1.000000     0.062996     0.003969     0.000250
    slower by      1            1.5874       2.5198       4

Pair 0 is as it was, pair 3 is 4 times slower, and from pair to pair the factor grows by the same ratio, 4^(1/3).

(Hugging Face's `rope_type="dynamic"` is this formula with a `scale` that grows with the text: factor · length/trained
− (factor − 1). The function here gets the finished `scale`.)

## What is required

- `scale` is any number from 1 on, whole or not, an int or a float; with 1 the frequencies are the unscaled ones.
- `head_dim` may be any even number from 4 on. `base` may be any number above 1, whole or not.
- Every frequency is right to a relative error of 10⁻⁵, the smallest as well: they are multiplied by positions in the
  hundred thousands.
- A call leaves nothing behind that changes a later one.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result is float32.
- An odd `head_dim`, one below 4 (there the exponent would divide by zero, or the first and the last pair be one) and a
  `scale` below 1 raise `ValueError`.
- `device` says where the tensor is made; left out, where torch makes tensors by default. Nothing is made elsewhere.
- The program's default dtype and autocast don't matter, and nothing of torch's settings is changed.
- No Python loop makes a tensor for each pair.
"""

import torch
from torch import Tensor


def ntk_aware_scaling(
    head_dim: int, scale: float, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """The frequencies of all pairs, (head_dim/2,): the first as without scaling, the last `scale` times slower."""
    raise NotImplementedError
