"""# Rotary embeddings on a grid

The tokens of an image are patches, and a patch has two positions: its row and its column. Numbering the patches one
after the other would put the one right below as far away as a whole row is long. So models for images give each axis
half of the head: some channels are turned by the row, the others by the column. Scores then depend on how many rows
and how many columns lie between two patches, and on nothing else.

`x` has the axes **(batch, heads, height · width, head_dim)**. Tokens are read line by line: token t stands in row
t // width and column t % width, both counted from 0. With D = head_dim:

- The **first D/2 channels** are turned by the row, the **last D/2** by the column.
- **Pairs** are halves, inside each of the two parts: channel j belongs with channel j + D/4 in the first part, and
  channel D/2 + j with channel D/2 + D/4 + j in the second, for j = 0 … D/4 − 1.
- **Speed.** Each part has the frequencies of a head of its own width, D/2: pair j of either part is turned by
  p · base^(−2j/(D/2)) radians, where p is the row or the column. Both parts have the same D/4 frequencies, the first
  of which is 1.
- **Direction.** Counter-clockwise, the channel with the smaller number being the horizontal coordinate: a quarter turn
  takes (1, 0) to (0, 1).

Libraries differ here: some pair channels across the whole head, some give columns the first half, some let the column's
frequencies go on where the row's end. The above is what counts in this problem.

A grid with `height=2` and `width=3`, D = 4, and six tokens that all are [1, 0, 1, 0]:

    token 0, row 0, column 0     1.000000  0.000000   1.000000  0.000000
    token 1, row 0, column 1     1.000000  0.000000   0.540302  0.841471
    token 2, row 0, column 2     1.000000  0.000000  -0.416147  0.909297
    token 3, row 1, column 0     0.540302  0.841471   1.000000  0.000000
    token 4, row 1, column 1     0.540302  0.841471   0.540302  0.841471
    token 5, row 1, column 2     0.540302  0.841471  -0.416147  0.909297

With D = 8 and `base=10000` each part would have two pairs, with the frequencies 1 and 0.01.

## What is required

- The result is a new tensor of the shape of `x`. `x` keeps its values, and gradients flow back to it.
- `height` and `width` may be any sizes, equal or not. One of them (or both) may be 0: then there are no tokens, and
  the result is as empty as `x`. `batch` may be 0, too.
- `base` may be any positive number, head_dim any multiple of 4. `x` may be a transposed, sliced or expanded view.
- What the function does depends on its arguments alone. Caching tables is fine if nobody can tell.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- A head_dim that is no multiple of 4 raises `ValueError`, and so does a number of tokens other than height · width.
- The result has the dtype of `x`. Angles are computed in float32 at least, and in float64 for a float64 `x`.
- Tensors that you make are made on the device of `x`; autocast and the program's default dtype don't matter.
- The function works under `torch.func.vmap`, and without a Python loop over rows, columns or tokens.
"""

import torch
from torch import Tensor


def rotary_2d(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """x of shape (batch, heads, height · width, head_dim), turned by rows and by columns."""
    raise NotImplementedError
