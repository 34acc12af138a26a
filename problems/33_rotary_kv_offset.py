"""# Rotary embeddings that go on from a cache

While a model writes, it keeps the keys and values of everything read so far and computes only what is new: first the
whole prompt, perhaps in chunks, then one token at a time. Cached keys were turned when they were new and stay as they
are. So the function that turns the *new* queries and keys has to know where in the text they stand. Their place in
the call is not their place in the text.

`x` has the axes **(batch, heads, seq, head_dim)** and holds the new tokens only. `start_pos` is the number of tokens
that are **already in the cache, before these are appended**. So the new tokens stand at the positions start_pos,
start_pos + 1, …, start_pos + seq − 1. Positions count from 0: with an empty cache `start_pos` is 0, and the function
does what problem 29 does.

The rotation is that of problem 29:

- **Pairs** are halves: channel `i` of the first half and channel `i + head_dim/2` form pair `i`.
- **Speed.** At position p, pair `i` is turned by p · base^(−2i/head_dim) radians.
- **Direction.** Counter-clockwise, with the first half as the horizontal coordinate: a quarter turn takes (1, 0) to
  (0, 1).

A text of four tokens, each [1, 2, 3, 4] in a single head, `base=10000`. First two are read, `start_pos=0`; then one,
`start_pos=2`; then the last, `start_pos=3`:

    first call    1.000000   2.000000   3.000000   4.000000
                 -1.984111   1.959901   2.462378   4.019800
    second call  -3.144039   1.919605  -0.339143   4.039197
    third call   -1.413353   1.879118  -2.828857   4.058191

Reading all four at once, `start_pos=0`, gives the same four rows. That is the point: how a text is cut into calls
must not show.

## What is required

- The result is a new tensor of the shape of `x`. `x` keeps its values, and gradients flow back to it.
- `start_pos` is an int from 0 on, without an upper end, and often much larger than seq. Left out, it is 0.
- `base` may be any positive number.
- `seq` and `batch` may be 0; `head_dim` may be any even number from 2 on; `x` may be a transposed, sliced or
  expanded view.
- The function keeps no count of its own: what it does depends on its arguments alone. The same start may come twice,
  and a later call may start further in front, as when a new text begins. Caching tables is fine if nobody can tell.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- A negative `start_pos` and an odd `head_dim` raise `ValueError`.
- The result has the dtype of `x`. Angles are computed in float32 at least, and in float64 for a float64 `x`.
- Tensors that you make are made on the device of `x`; autocast and the program's default dtype don't matter.
- The function works under `torch.func.vmap`, and without a Python loop over positions.
"""

import torch
from torch import Tensor


def rotary_kv_offset(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """x of shape (batch, heads, seq, head_dim), turned as the tokens that follow start_pos cached ones."""
    raise NotImplementedError
