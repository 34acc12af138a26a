"""# Position interpolation

A model with rotary embeddings that was trained on 2048 tokens has never seen the angles of position 5000, and its
quality falls soon after the trained length. Position interpolation (Chen et al., 2023, arXiv 2306.15595) does not show
it new angles: it moves the tokens of a longer text **closer together**, until all of them stand within the range that
the model knows. With `scale` 4 a text of 8192 tokens lies between the positions 0 and 2048, four tokens to each
step. The model meets positions like 17.25 that it has not met either, but they lie between known ones, and a little
fine-tuning is enough.

`x` has the axes **(batch, heads, seq, head_dim)**. `scale` is the new length divided by the trained length. The token
at index p along `seq` (0, 1, 2, …) stands at position **p / scale**, fractions included. Everything else is rotary
embedding as in problem 29:

- **Pairs** are halves: channel `i` of the first half and channel `i + head_dim/2` form pair `i`.
- **Speed.** At position q, pair `i` is turned by q · base^(−2i/head_dim) radians. q is p / scale here, whole or not.
- **Direction.** Counter-clockwise, with the first half as the horizontal coordinate: a quarter turn takes (1, 0) to
  (0, 1).

(Dividing every frequency by `scale` is the same, and is how Hugging Face's `rope_type="linear"` writes it. `base`
itself stays as it is. The vectors keep their lengths.)

For three tokens that all hold [1, 2, 3, 4], `scale=2` and `base=10000`:

    index 0, position 0      1.000000   2.000000   3.000000   4.000000
    index 1, position 0.5   -0.560694   1.979975   3.112173   4.009950
    index 2, position 1     -1.984111   1.959901   2.462378   4.019800

The last row is what position 1 gives without scaling.

## What is required

- `scale` is any number from 1 on, whole or not, an int or a float. With 1 nothing is scaled: that is problem 29.
- Positions keep their fractions: no two tokens of a text share one.
- The result is a new tensor of the shape of `x`. `x` keeps its values, and gradients flow back to it.
- `base` may be any positive number.
- `seq` and `batch` may be 0; `head_dim` may be any even number from 2 on; `x` may be a transposed, sliced or expanded
  view. `scale` does not depend on `seq`: a short text is scaled like a long one.
- A call leaves nothing behind that changes a later one, whatever its shape, scale or base.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- A `scale` below 1 and an odd `head_dim` raise `ValueError`.
- The result has the dtype of `x`. Angles are computed in float32 at least, and in float64 for a float64 `x`.
- Tensors that you make are made on the device of `x`; autocast and the program's default dtype don't matter.
- The function works under `torch.func.vmap`, in training after a call in inference mode, and without a Python loop
  over positions.
"""

import torch
from torch import Tensor


def position_interpolation(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """x of shape (batch, heads, seq, head_dim), the token at index p turned as if it stood at position p / scale."""
    raise NotImplementedError
