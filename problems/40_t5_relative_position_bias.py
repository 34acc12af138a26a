"""# T5's relative position bias

T5 (Raffel et al., 2020, arXiv 1910.10683) learns how much each head likes each *offset* between a query and a key,
and adds that number to the score, before the softmax. There are endlessly many offsets, so they are sorted into a few
**buckets**: near offsets have a bucket each, far ones share, more and more of them to a bucket. `table`, shape
**(num_buckets, heads)**, holds one learned number for each bucket and head.

`t5_relative_position_bias(table, q_len, k_len)` returns a tensor of shape **(1, heads, q_len, k_len)**, ready to be
added to scores. Entry (0, h, i, j) is `table[bucket, h]` for the bucket of rel = j − p, *key minus query*. There are
`k_len` keys at positions j = 0 … k_len − 1, and the queries are the last `q_len` of those positions: query i stands
at p = i + k_len − q_len, as in decoding with a cache.

**Both sides** (`bidirectional=True`, an encoder). Half of the buckets, nb = ⌊num_buckets/2⌋, are for keys at or
before the query (rel ≤ 0), the next nb for keys after it (rel > 0). Within its half the bucket depends on the
distance n = |rel|.

**One side** (`bidirectional=False`, a decoder). All nb = num_buckets buckets are for the past: n = max(−rel, 0), so
that every key after the query falls into bucket 0. (A mask will hide it; the bias does not.)

**From distance to bucket.** With me = ⌊nb/2⌋:

- n < me: bucket n, exactly.
- n ≥ me: me + ⌊ ln(n/me) / ln(max_distance/me) · (nb − me) ⌋, but never more than nb − 1. Round down, after
  everything is multiplied; from max_distance on all share the last bucket.

For keys after the query nb is added to that. With 8 buckets, both sides and `max_distance=20`, the offsets from −8 to
8 have the buckets

    rel     -8 -7 -6 -5 -4 -3 -2 -1  0  1  2  3  4  5  6  7  8
    bucket   3  3  2  2  2  2  2  1  0  5  6  6  6  6  6  7  7

and with 32 buckets and 128 the last eight of one side begin at the distances 8, 12, 16, 23, 32, 46, 64 and 91.

## What is required

- `num_buckets`, odd or even, and the number of heads come from `table`. It keeps its values, may be a transposed or
  sliced view, and gets its gradient: for each bucket the sum over all entries that used it, zeros for unused ones.
- With more queries than keys the first queries stand before key 0; the rule stays the same.
- `q_len` and `k_len` may be 0, and offsets may be far beyond `max_distance`.
- A call leaves nothing behind that changes a later one.

Indexing a tensor does the look-up; the embedding functions of torch.nn are not allowed, nor are torch.bucketize and
torch.searchsorted, which would sort into buckets for you.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result has the dtype of `table`, and its entries are numbers of the table, unrounded. The logarithms are made in
  float32 at least, whatever dtype the table or the program has: autocast and a default dtype don't matter.
- Raise `ValueError` where no bucket can be told: for me = 0 (fewer than 2 buckets, or 4 for both sides), and for
  `max_distance` not above me.
- Everything is made on the device of `table` (`meta` included, so no shape depends on values), works under
  `torch.func.vmap` over tables, and needs no Python loop over positions.
"""

import torch
from torch import Tensor


def t5_relative_position_bias(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    """table of shape (num_buckets, heads), looked up for every offset: (1, heads, q_len, k_len)."""
    raise NotImplementedError
