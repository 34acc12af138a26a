"""# Rotary embeddings, written out for even and odd channels

Short introductions to rotary embeddings print one line: the new vector is even·cos − odd·sin. That is half of a
rotation. Here you write all of it, for queries and keys at once, and for positions that are *given*: texts padded at
the left, several texts packed into one row, or one new token of a conversation all have positions that don't simply
count 0, 1, 2, ….

- `q` has the axes **(batch, heads, seq, head_dim)**, `k` has **(batch, kv_heads, seq, head_dim)**. There may be fewer
  heads of keys than of queries (grouped-query attention); neither is repeated here.
- `position_ids`, int64 of shape **(batch, seq)**, says for each text at which position each token stands. The numbers
  are 0 or larger. They may differ from text to text, repeat, jump, fall or start over. The same numbers count for
  queries and keys, in every head.
- **Pairs** are neighbours: channels 2j and 2j + 1 are the coordinates of a point in the plane (the layout of GPT-J
  and of Meta's Llama code; problem 29 has the other one).
- **Speed.** At position p, pair j is turned counter-clockwise by p · base^(−2j/head_dim) radians. With e and o for
  the even and the odd channel of the pair, and the angle a:

      e′ = e·cos a − o·sin a        o′ = e·sin a + o·cos a

  Both are written back to where they came from, so that the result is interleaved like the input.

You return a tuple: the turned queries, then the turned keys, each with the shape that it came in.

For a head of 4 channels that holds [1, 2, 3, 4], with `base=10000` (pair 0 turns by 1 radian a step, pair 1 by 0.01):

    id 0    1.000000   2.000000   3.000000   4.000000
    id 1   -1.142640   1.922076   2.959851   4.029799
    id 3   -1.272233  -1.838865   2.878668   4.088187

With `position_ids` [[3, 0, 3]] these rows come out as id 3, id 0, id 3.

## What is required

- Both results are new tensors. The inputs keep their values, and gradients flow back to `q` and to `k`.
- `base` may be any positive number. Ids may be in the hundred thousands, far larger than seq.
- `batch` and `seq` may be 0 or 1; `head_dim` may be any even number from 2 on.
- `q` and `k` may be transposed, sliced or expanded views.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The results have the dtype of `q` and `k`: bfloat16 in, bfloat16 out. Angles are computed in float32 at least,
  whatever the dtype of the inputs, and in float64 for float64 inputs.
- An odd `head_dim` raises `ValueError`.
- Tensors that you make are made on the device of the inputs; autocast and the program's default dtype don't matter.
- The function works under `torch.func.vmap`, and without a Python loop over positions.
"""

import torch
from torch import Tensor


def rotary_even_odd(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> tuple[Tensor, Tensor]:
    """q (batch, heads, seq, head_dim) and k (batch, kv_heads, seq, head_dim), turned by their tokens' positions."""
    raise NotImplementedError
