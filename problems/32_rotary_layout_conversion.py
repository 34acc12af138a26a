"""# From one rotary layout to the other

Rotary embeddings turn pairs of channels, and there are two habits of saying which channels are a pair. The first
release of Llama turns neighbours: channels 2j and 2j + 1 (problem 30). The code most models run in today turns halves:
channel j with channel j + D/2 (problem 29), where D is the width of a head. A checkpoint trained for one gives nonsense
in the other, although every shape fits.

Nothing has to be trained anew. A channel of a query is a row of the matrix that makes the queries: reorder these rows
once, and the channels come out where the other rotation looks for them.

`weight` has the shape **(num_heads · D, …)**: usually a matrix (out_features, in_features), as `torch.nn.Linear` keeps
it, sometimes a bias with that one axis, or more axes. Head i owns the rows iD … iD + D − 1. `to` names the layout that
is wanted; the weight is in the other one. Within every head, for j = 0 … D/2 − 1:

- `to="half"`: new row j is old row 2j, and new row D/2 + j is old row 2j + 1.
- `to="interleaved"`: the way back, so that converting there and back gives the same weight again.

A bias of 12 rows that hold their own numbers, `num_heads=2`, so D is 6:

    weight                 0  1  2  3  4  5   6  7  8  9 10 11
    to="half"              0  2  4  1  3  5   6  8 10  7  9 11
    to="interleaved"       0  3  1  4  2  5   6  9  7 10  8 11

A model converts the weights (and biases) of its queries with the number of query heads and those of its keys with the
number of key heads. Values and the output projection are never turned, so they stay as they are.

## What is required

- The rows are moved along the first axis, inside each head. Everything behind the first axis moves along, unchanged:
  the result is exact, with the shape of `weight`.
- `weight` may have one, two or more axes. It keeps its values.
- Any other `to` raises `ValueError`.
- D may be any even number from 2 on, `num_heads` any number from 1 on. `weight` may be a transposed, sliced or
  expanded view.
- Gradients flow back to `weight`.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- Sizes that can't be right raise `ValueError`: rows that don't divide into `num_heads` heads, an odd D, `num_heads`
  below 1.
- No columns, or no rows at all (so that D is 0), are fine: the result is as empty.
- The result has the dtype of `weight` and lost no digit.
- Everything stays on the device of `weight`, works under `torch.func.vmap`, and needs no Python loop over heads or
  rows.
"""

import torch
from torch import Tensor


def rotary_layout_conversion(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """weight of shape (num_heads · D, …), with the rows of each head in the order of the layout `to`."""
    raise NotImplementedError
