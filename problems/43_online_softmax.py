"""# Online softmax

A softmax needs two numbers of each row before it can give a single weight: the row's largest entry `m`, and
the sum `l = Σ exp(x − m)` over the whole row. Attention kernels never hold the whole row. They see it block
by block and keep only the two numbers, and so shall you.

`blocks` gives tensors of shape `(…, n_i)`, which lie side by side along the last axis and together make the
rows. The leading sizes are the same for all blocks, the widths `n_i` are not. Return the tuple `(m, l)`, two
tensors of shape `(…)`.

**Every block can be read once.** `blocks` is an iterator over one buffer, as a kernel has it: when you draw
the next block, the one before is overwritten. Keep what you need of it, not the block (nor a copy of it: the
memory must not grow with the number of blocks).

For one row in the three blocks `[1, 2]`, `[4]` and `[3, 4]`:

    after [1, 2]     m = 2     l = exp(1 − 2) + exp(2 − 2)                      = 1.3679
    after [4]        m = 4     l = 1.3679 · exp(2 − 4) + exp(4 − 4)             = 1.1851
    after [3, 4]     m = 4     l = 1.1851 + exp(3 − 4) + exp(4 − 4)             = 2.5530

The result is `(4, 2.5530)`, whatever the split: the blocks `[1, 2, 4]` and `[3, 4]` give the same.

- Entries are finite or −inf (a masked key). `exp(−inf)` is 0, so such an entry adds nothing, and a row may
  begin with whole blocks of −inf.
- A row of nothing but −inf has `m = −inf` and `l = 0`, never NaN.
- A width `n_i` may be 0; such a block changes nothing. If all are, each row has `m = −inf` and `l = 0`.
- If there is no block at all, nobody knows how many rows there are: raise `ValueError`.
- Rows may lie at −1000 or at +1000; nothing may overflow or vanish.
- Both results have the dtype of the blocks. For float16 and bfloat16 blocks the sum runs in float32.
"""

from collections.abc import Iterable

import torch
from torch import Tensor


def online_softmax(blocks: Iterable[Tensor]) -> tuple[Tensor, Tensor]:
    """(m, l) of each row in one pass over blocks (…, n_i): maximum and sum of exp(x − m), both of shape (…)."""
    raise NotImplementedError
