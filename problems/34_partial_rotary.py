"""# Partial rotary embeddings

Not every channel of a head has to know where its token stands. Some models turn only the first channels of each query
and key, and leave the others to content alone: GPT-NeoX and Pythia a quarter of them, Phi-2 two fifths. Turned channels
give scores that depend on the distance, the rest of the head gives scores that don't, and the dot product adds the two
up.

`x` has the axes **(batch, heads, seq, head_dim)**. The first **rotary_dim** channels are turned, as if they were a head
of their own, of the width rotary_dim; the others come back **as they are, bit for bit**.

- **Pairs** are halves *of the turned part*: channel `i` and channel `i + rotary_dim/2` form pair `i`, for i below
  rotary_dim/2.
- **Speed.** At position p (0, 1, 2, … along `seq`), pair `i` is turned by p · base^(−2i/rotary_dim) radians. It is
  rotary_dim that counts in the exponent, not head_dim.
- **Direction.** Counter-clockwise, with the first member as the horizontal coordinate: a quarter turn takes (1, 0) to
  (0, 1).

(GPT-J pairs neighbours, 0 with 1, 2 with 3. Gemma's "proportional" variant keeps head_dim in the exponent. Both are
other conventions; weights of one don't work with another.)

For `x` of shape (1, 1, 2, 6) with [1, 2, 3, 4, 5, 6] at both positions, `rotary_dim=4` and `base=10000`, the pairs are
(1, 3) and (2, 4); 5 and 6 take no part:

    position 0    1.000000   2.000000   3.000000   4.000000   5.000000   6.000000
    position 1   -1.984111   1.959901   2.462378   4.019800   5.000000   6.000000

## What is required

- `rotary_dim` is an even number from 0 to head_dim. With head_dim every channel is turned, as in problem 29; with 0
  none is, and the result equals `x`.
- `head_dim` itself may be odd, as long as `rotary_dim` is even.
- The result is a new tensor of the shape of `x`. `x` keeps its values, and gradients flow back to all its channels.
- `base` may be any positive number.
- `seq` and `batch` may be 0; `x` may be a transposed, sliced or expanded view.
- A call leaves nothing behind that changes a later one, whatever its shape, rotary_dim or base.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- An odd `rotary_dim`, a negative one and one above head_dim raise `ValueError`.
- The result has the dtype of `x`, and the rest comes back bit for bit in any of them. Angles are computed in float32 at
  least, and in float64 for a float64 `x`.
- Tensors that you make are made on the device of `x`; autocast and the program's default dtype don't matter.
- The function works under `torch.func.vmap`, in training after a call in inference mode, and without a Python loop over
  positions.
"""

import torch
from torch import Tensor


def partial_rotary(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """x of shape (batch, heads, seq, head_dim), with its first rotary_dim channels turned by their positions."""
    raise NotImplementedError
