"""# Cross-attention: a worked answer

## Step by step

1. Refuse a `num_heads` that doesn't divide the width of the heads, which is the number of rows of `w_q`.
2. Project: queries from `x`, keys and values from `context`. After that the two sequences meet only in the scores.
3. Cut each into heads. The lengths differ, so write the cutting once, for any (batch, length, width).
4. Scores are (batch, heads, q_len, k_len): a row for each asking token, a column for each context token.
5. Hide masked context tokens: (batch, 1, 1, k_len), −inf before the softmax, 0 after it, because a row of nothing but
   −inf has become NaN. With k_len = 0 the products are over nothing and give zeros by themselves.
6. Average, join the heads, project with `w_o`.

## Key functions

- `(x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2)`: (batch, heads, length, head_dim), whatever the length.
- `context_mask[:, None, None, :]` belongs to the columns of the scores.
- `t.transpose(1, 2).flatten(2)` lays the heads side by side again.

## How to recognise the pattern

*Who asks* decides the shape of the result, *who answers* decides what is in it. Self-attention is the case in which
both are the same sequence; a decoder's cache, retrieval, a Perceiver's latents and the text that guides an image are
others. The context's keys and values don't depend on `x`, so when writing token by token they are computed once.
(Vaswani et al., 2017, section 3.2.3; Jaegle et al., "Perceiver", 2021.)
"""

import torch
from torch import Tensor


def cross_attention(
    x: Tensor,
    context: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    num_heads: int,
    context_mask: Tensor | None = None,
) -> Tensor:
    """x of shape (batch, q_len, d_model), every token fed from the context: (batch, q_len, d_model)."""
    width = w_q.shape[0]
    if num_heads < 1 or width % num_heads:
        raise ValueError(f"{width} channels can't be cut into {num_heads} heads")
    q, k, v = (_heads(t, w, num_heads) for t, w in ((x, w_q), (context, w_k), (context, w_v)))
    scores = q @ k.mT * (width // num_heads) ** -0.5  # (batch, heads, q_len, k_len)
    if context_mask is None:
        weights = scores.softmax(-1)
    else:
        hidden = ~context_mask[:, None, None, :]  # (batch, 1, 1, k_len)
        weights = scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0.0)
    joined = (weights @ v).transpose(1, 2).flatten(2)  # (batch, q_len, width)
    return (joined @ w_o.to(joined.dtype).T).to(x.dtype)


def _heads(tokens: Tensor, weight: Tensor, num_heads: int) -> Tensor:
    """Tokens projected and cut into heads, in float32 at least: (batch, heads, length, head_dim)."""
    wide = torch.promote_types(tokens.dtype, torch.float32)
    projected = tokens.to(wide) @ weight.to(wide).T
    return projected.unflatten(-1, (num_heads, -1)).transpose(1, 2)
