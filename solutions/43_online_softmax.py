"""# Online softmax: a worked answer

## Step by step

1. Start each row with nothing seen: `m = −inf` and `l = 0` (`total` in the code). The first block tells how
   many rows there are.
2. For each block take the new maximum *before* touching `m`: the larger of the old one and the block's own.
3. The old sum was taken relative to the old maximum. Since `exp(x − new) = exp(x − old) · exp(old − new)`,
   one factor `exp(old − new)`, never above 1, moves all old terms at once.
4. Add the block's own terms, relative to the new maximum, and only then let the new maximum become `m`.
5. Where the new maximum is still −inf, `−inf − (−inf)` would be NaN. Subtract 0 there instead: each term is
   then `exp(−inf) = 0`, which is right.

## Key functions

- `block.amax(-1)` is the maximum of each row; it refuses a width of 0, so such a block is passed over.
- `torch.maximum(a, b)` compares two tensors entry by entry (`max(a, b)` would ask for one truth value).
- `m.masked_fill(m == -torch.inf, 0.0)` is the maximum that is safe to subtract.
- `(block - safe[..., None]).exp().sum(-1)` needs the `[..., None]`: one maximum for a whole row.

## How to recognise the pattern

Whenever a result over a long axis is wanted and only pieces fit, ask for the smallest *state* that two pieces
can be merged from. A mean needs a sum and a count; a variance a count, a mean and a sum of squares; a softmax
`(m, l)`. FlashAttention adds one more number per row and channel, the weighted sum of values, and rescales it
by the very same factor (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018; Dao et
al., "FlashAttention", 2022, section 3.1).
"""

from collections.abc import Iterable

import torch
from torch import Tensor


def online_softmax(blocks: Iterable[Tensor]) -> tuple[Tensor, Tensor]:
    """(m, l) of each row in one pass over blocks (…, n_i): maximum and sum of exp(x − m), both of shape (…)."""
    m: Tensor | None = None
    total: Tensor | None = None
    dtype = torch.float32
    for block in blocks:
        if m is None or total is None:
            dtype = block.dtype
            m = _wide(block).new_full(block.shape[:-1], -torch.inf)  # (…)
            total = torch.zeros_like(m)  # (…)
        if block.shape[-1] == 0:
            continue
        block = _wide(block)  # (…, n_i)
        new = torch.maximum(m, block.amax(-1))
        safe = new.masked_fill(new == -torch.inf, 0.0)
        total = total * (m - safe).exp() + (block - safe[..., None]).exp().sum(-1)
        m = new
    if m is None or total is None:
        raise ValueError("there is no block, so the number of rows is unknown")
    return m.to(dtype), total.to(dtype)


def _wide(block: Tensor) -> Tensor:
    """Half precision becomes float32, where a sum of many terms still grows."""
    return block.float() if block.dtype in (torch.float16, torch.bfloat16) else block
