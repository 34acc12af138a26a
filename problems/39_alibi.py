"""# ALiBi: a bias that grows with distance

ALiBi (Press et al., 2021, arXiv 2108.12409) tells attention where tokens stand without changing a single vector: it
adds a number to every score, before the softmax. The number is 0 for a token's own key and falls by the same amount
with every step away from it, so that near keys are preferred. Each head has a slope of its own: steep ones look at the
neighbourhood, flat ones far back. Nothing is learned, and there is no position that could be too large.

You build that bias: `alibi(num_heads, q_len, k_len)` returns a tensor of shape **(num_heads, q_len, k_len)**.

There are `k_len` keys, at positions 0 … k_len − 1. The `q_len` queries are the **last** `q_len` of those positions, as
in decoding with a cache: query i stands at p = i + k_len − q_len. Entry (h, i, j) is

    −slope(h) · |p − j|

**Slopes for a power of two.** With n heads, h = 0, 1, …, n − 1, the slope of head h is 2^(−8(h+1)/n). That is 1/2, 1/4,
…, 1/256 for 8 heads; whatever n is, the last slope is 1/256.

**Slopes for any other n.** Let c be the largest power of two below n. The first c heads have the slopes of c heads. The
n − c others take slopes that lie between those: of the list for 2c heads the first, third, fifth, … entry, until all
have one. They are appended as they are; the list is *not* sorted. For 6 heads:

    1/4   1/16   1/64   1/256   1/2   1/8

**Keys after the query** get the same treatment as keys before it: distance is distance. (The paper writes the bias for
a decoder, which hides those keys anyway. Hiding them is a mask's business and is not part of the bias.)

For `alibi(2, 2, 4)` the slopes are 1/16 and 1/256, and the queries stand at positions 2 and 3. Head 0:

    key       0        1        2        3
    p = 2   -0.1250  -0.0625   0       -0.0625
    p = 3   -0.1875  -0.1250  -0.0625   0

## What is required

- Any number of heads from 1 on: 1 has the slope 1/256, and 3 have 1/16, 1/256, 1/4.
- With more queries than keys the first queries stand before key 0, at negative positions; the rule stays the same.
- `q_len` and `k_len` may be 0, and may be in the thousands: distances are exact.
- A call leaves nothing behind that changes a later one.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result is float32, whatever the program's default dtype is.
- `num_heads` below 1 is a mistake of the caller: raise `ValueError`.
- `device` says where the bias is made; left out, where torch makes tensors by default. Nothing is made elsewhere.
- Nothing of torch's settings is changed, and no Python loop runs over positions. (One over heads is fine.)
"""

import torch
from torch import Tensor


def alibi(num_heads: int, q_len: int, k_len: int, device: torch.device | str | None = None) -> Tensor:
    """The bias to be added to scores, (num_heads, q_len, k_len): 0 at the query's own position, below 0 elsewhere."""
    raise NotImplementedError
