"""# Scaled dot-product attention: a worked answer

## Step by step

1. Compare every query with every key: one matrix product, (q_len, head_dim) with (head_dim, k_len), for each batch
   row and head. It is a table with a row for each query.
2. Scale. The dot product of two independent vectors of unit variance has variance head_dim; dividing by √head_dim
   brings it back to 1, or the softmax would put nearly all weight on one key, where its gradient vanishes.
3. Hide what may not be seen **before** the softmax, with −inf: exp(−inf) is exactly 0, and the others share the whole.
4. Softmax along the last axis, the keys: each row sums to 1.
5. A row of nothing but −inf has become NaN. Put zeros where nothing is visible, in the *weights* and before they meet
   the values: 0 · NaN is NaN, so a repair of the result would leave NaN in the gradient of `v`.
6. Average the values: (q_len, k_len) with (k_len, v_dim).

## Key functions

- `k.mT` exchanges the last two axes and no others; `k.T` turns all four around.
- `scores.masked_fill(~mask, -torch.inf)` broadcasts the mask and sends no gradient back where it filled.
- `torch.promote_types(q.dtype, torch.float32)` says "at least float32".
- `scale is None` asks whether a scale was given; `scale or …` would take a given 0 for none.

## How to recognise the pattern

Whenever a *choice* among items is to be learned, replace it by an average with weights from a softmax: it has a
gradient, and sharp scores bring the choice back. Masking is always the same three words: before, −inf, renormalise.
And any average needs an answer for "of nothing". (Vaswani et al., "Attention Is All You Need", 2017, section 3.2.1.)
"""

import torch
from torch import Tensor


def scaled_dot_product_attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """The values (batch, heads, k_len, v_dim) averaged for each query: (batch, heads, q_len, v_dim)."""
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"queries of width {q.shape[-1]} can't meet keys of width {k.shape[-1]}")
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(f"{k.shape[-2]} keys need as many values, not {v.shape[-2]}")
    wide = torch.promote_types(q.dtype, torch.float32)
    if scale is None:
        scale = q.shape[-1] ** -0.5
    scores = q.to(wide) @ k.to(wide).mT * scale  # (batch, heads, q_len, k_len)
    if mask is None:
        weights = scores.softmax(-1)
    else:
        weights = scores.masked_fill(~mask, -torch.inf).softmax(-1).masked_fill(~mask, 0.0)
    return (weights @ v.to(wide)).to(q.dtype)  # (batch, heads, q_len, v_dim)
