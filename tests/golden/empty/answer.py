"""# Rotary positional embeddings

Attention compares queries with keys and does not notice where they stand. Rotary positional embeddings (RoPE) tell it
by **turning**: the channels of every query and key are taken in pairs, each pair is read as a point in the plane, and
that point is turned about the origin by an angle that grows with the position. A query and a key that are turned this
way meet in a dot product that depends on what they hold and on how far apart they stand, and in which direction, but
not on where the two stand together. You write the function that turns one of them; a model calls it for its queries
and again for its keys, in every layer, and never for the values.

`x` has the axes **(batch, heads, seq, head_dim)**. Along `seq` the positions are 0, 1, 2, …, the same in every head
and every batch row.

- **Pairs.** The layout is *halves*: channel `i` of the first half and channel `i + head_dim/2` form pair `i`. (This
  is the layout of GPT-NeoX and of Hugging Face's Llama, called *rotate-half*. Meta's Llama code and GPT-J pair
  neighbours instead, 0 with 1, 2 with 3; the numbers are others, and one layout's weights don't work with the other.)
- **Speed.** At position p, pair `i` is turned by p times the pair's own frequency, in radians. That frequency is
  `base` raised to the power of −2i/head_dim. So pair 0 turns by one radian with each step, and every later pair is
  slower.
- **Direction.** The turn is counter-clockwise, with the first half as the horizontal coordinate: a quarter turn takes
  (1, 0) to (0, 1).

For `x` of shape (1, 1, 2, 4) with [1, 2, 3, 4] at both positions and `base=10000`, the pairs are (1, 3) and (2, 4).
The first turns by 1 radian a step, the second by 0.01:

    position 0    1.000000   2.000000   3.000000   4.000000
    position 1   -1.984111   1.959901   2.462378   4.019800

Three checks that you can do in your head: position 0 comes back unchanged; no pair ever changes its length; and what
is computed for a position does not depend on how many others follow it.

## What is required

- The result is a new tensor of the same shape. `x` itself keeps its values, and gradients flow back to it.
- `base` may be any positive number, whole or not.
- `seq` and `batch` may be 0, `seq` may be in the hundred thousands, and `head_dim` may be any even number from 2 on.
- `x` may be a transposed, sliced or expanded view.
- A call leaves nothing behind that changes a later one, whatever its shape or base. Caching is fine if nobody can
  tell.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result has the dtype of `x`: bfloat16 in, bfloat16 out. Angles are computed in float32 at least, since rounded
  positions or frequencies are wrong soon; for a float64 `x` everything is float64.
- An odd `head_dim` (1 as well) can't be paired: raise `ValueError`.
- Tensors that you make are made on the device of `x`, and no number leaves that device.
- The caller's world neither disturbs the result nor is disturbed: default dtype, autocast, random state. The function
  works under `torch.func.vmap`, and in training after a call in inference mode.
- No Python loop over positions.
"""

import torch
from torch import Tensor


def apply_rotary_pos_emb(x: Tensor, base: float = 10000.0) -> Tensor:
    """x of shape (batch, heads, seq, head_dim), with every pair of channels turned by its position."""
    raise NotImplementedError
