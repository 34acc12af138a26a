"""# Grouped-query attention: a worked answer

## Step by step

1. How many query heads share a kv head? `heads / kv_heads`, and a remainder is the caller's mistake.
2. Give each query head its keys and values: repeat every kv head `group` times **in place**, 0 0 0 1 1 1, and not the
   whole row of heads, 0 1 0 1 0 1. The shapes are the same either way, which is why this mistake goes unnoticed until a
   trained model talks nonsense.
3. From here on it is attention with `heads` heads: scores, −inf where hidden, softmax, zeros where nothing is visible.

## Key functions

- `k.repeat_interleave(group, dim=1)` repeats each head in place. `k.repeat(1, group, 1, 1)` lays the whole row of heads
  down again and again: that is the wrong order.
- The backward pass of a repetition is a sum, so each kv head gets the gradient of its whole group by itself.
- Without a copy: split the heads of `q` into (kv_heads, group) with `unflatten(1, (kv_heads, group))`, give `k` and `v`
  an axis of 1 at the place of `group`, and let it broadcast. A mask with query heads must then be split in the same
  way.

## How to recognise the pattern

*Many share few*: an index `i // group` is a repetition in place, `i % n` one of the whole row. Whenever two axes are
folded into one, know which of them runs faster. The gain is memory: the cache shrinks by `group`, and decoding, which
waits for memory most of the time, becomes that much faster. (Ainslie et al., "GQA: Training Generalized Multi-Query
Transformer Models from Multi-Head Checkpoints", 2023; Shazeer, "Fast Transformer Decoding", 2019.)
"""

import torch
from torch import Tensor


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """Query heads that share heads of keys and values by groups: (batch, heads, q_len, head_dim)."""
    heads, kv_heads = q.shape[1], k.shape[1]
    if kv_heads < 1 or heads % kv_heads:
        raise ValueError(f"{heads} query heads can't share {kv_heads} heads of keys and values evenly")
    wide = torch.promote_types(q.dtype, torch.float32)
    k, v = (t.to(wide).repeat_interleave(heads // kv_heads, dim=1) for t in (k, v))  # (batch, heads, k_len, head_dim)
    scores = q.to(wide) @ k.mT * q.shape[-1] ** -0.5  # (batch, heads, q_len, k_len)
    if mask is None:
        weights = scores.softmax(-1)
    else:
        weights = scores.masked_fill(~mask, -torch.inf).softmax(-1).masked_fill(~mask, 0.0)
    return (weights @ v).to(q.dtype)
