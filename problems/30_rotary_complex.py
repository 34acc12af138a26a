"""# Rotary embeddings as complex numbers

Turning a point in the plane is multiplying a complex number by another one of length 1. So rotary embeddings can be
written as a single product: read the channels of `x` in pairs, each pair as one complex number, and multiply by a
table that holds e^(i·angle) for every position and every pair. Meta's Llama code is written this way. The table is
made once, for the longest text the model will see, and handed to every layer (problem 28 makes it); here you *apply*
one.

`x` has the axes **(batch, seq, heads, head_dim)**: seq comes *before* heads, unlike in problem 29, because this form is
usually called before the two are exchanged.

`freqs_complex` is a complex table with one row for each position and **head_dim/2** columns, one for each pair. It has
*at least* seq rows; row p belongs to position p, and the rows beyond seq are not used.

- **Pairs** are neighbours: channels 2j and 2j + 1 are the real and the imaginary part of number j. They are written
  back to the same two places. (Problem 29 pairs channel j with j + head_dim/2. That is another layout, and weights
  trained for one don't work with the other.)
- **Product.** Number j at position p is multiplied by entry (p, j) of the table, alike in every batch row and every
  head. The table alone says by how much: nothing in it is to be recomputed, and its entries need not have length 1
  (some methods for longer contexts stretch it).

A head of 4 channels that holds [1, 2, 3, 4] at both of two positions consists of 1 + 2i and 3 + 4i. With a table whose
row 0 is (1, 1) and whose row 1 is (e^i, e^0.01i), about (0.540302 + 0.841471i, 0.999950 + 0.010000i):

    position 0    1.000000   2.000000   3.000000   4.000000
    position 1   -1.142640   1.922076   2.959851   4.029799

## What is required

- The result is a new real tensor of the shape of `x`. Neither `x` nor the table changes.
- The table may be longer than seq, also when seq is 1.
- `x` may be a transposed, sliced or expanded view, with any strides and any offset.
- Gradients flow back to `x` and to the table, as through any product.
- `batch` and `seq` may be 0; `head_dim` may be any even number from 2 on.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result has the dtype of `x`, whatever the table's is. torch has no complex numbers over bfloat16, so
  half precision is widened to float32 and rounded at the end. A float64 `x` with a complex128 table is computed in
  complex128.
- `ValueError` for what can't be right: an odd `head_dim`, a table with fewer than seq rows, a table whose width is not
  head_dim/2. Beware: sizes of 1 broadcast without any complaint.
- Everything stays on the device of `x`, works under `torch.func.vmap`, and needs no Python loop over positions.
"""

import torch
from torch import Tensor


def apply_rotary_embeddings(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """x of shape (batch, seq, heads, head_dim), its channel pairs times the first seq rows of the table."""
    raise NotImplementedError
