"""# Multi-head attention: a worked answer

## Step by step

1. Refuse a `num_heads` that doesn't divide d_model.
2. Project once: x·Wᵀ + b, (batch, seq, 3·d_model).
3. Unfold the last axis in the order in which it is stored: (3, heads, head_dim), the slowest first. One permute
   brings the three to the front and heads before seq. (A file that stores head by head would unfold to (heads, 3,
   head_dim): this one line is where the two layouts differ.)
4. Scores, scaled by 1/√head_dim.
5. The mask is about keys, the *last* axis of the scores: (batch, seq) becomes (batch, 1, 1, seq), the same for all
   heads and all queries. −inf before the softmax, and zeros after it, because a row of nothing but −inf has become
   NaN.
6. Average the values, bring heads behind seq, lay them side by side, and project with `w_o` and `b_o`. The output bias
   comes last, so a sample of padding alone gives exactly `b_o`.

## Key functions

- `t.unflatten(-1, (3, num_heads, -1))` names the parts of an axis; `permute` then orders them.
- `mask[:, None, None, :]` adds the axes of heads and queries, which broadcast.
- `scores.masked_fill(~mask, -torch.inf)` hides where the mask is False; the same call with 0.0 on the weights repairs
  NaN.

## How to recognise the pattern

A fused weight is several weights stacked along `out`. What it means lies in the order of its rows alone, so a loader
that gets it wrong raises no error and gives a model that babbles: when you meet one, test a single head by hand. And
a mask always has a side: ask whether it speaks of those who look or of those who are looked at. (Vaswani et al.,
2017, section 3.2.2; Devlin et al., "BERT", 2019.)
"""

import torch
from torch import Tensor


def multi_head_attention(
    x: Tensor,
    w_qkv: Tensor,
    b_qkv: Tensor | None,
    w_o: Tensor,
    b_o: Tensor | None,
    num_heads: int,
    key_padding_mask: Tensor | None = None,
) -> Tensor:
    """x of shape (batch, seq, d_model), every token mixed with all real ones: (batch, seq, d_model)."""
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{d_model} channels can't be cut into {num_heads} heads")
    projected = _linear(x.to(torch.promote_types(x.dtype, torch.float32)), w_qkv, b_qkv)
    q, k, v = projected.unflatten(-1, (3, num_heads, -1)).permute(
        2, 0, 3, 1, 4
    )  # three of (batch, heads, seq, head_dim)
    scores = q @ k.mT * q.shape[-1] ** -0.5  # (batch, heads, seq, seq)
    if key_padding_mask is None:
        weights = scores.softmax(-1)
    else:
        hidden = ~key_padding_mask[:, None, None, :]  # (batch, 1, 1, seq)
        weights = scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0.0)
    heads = (weights @ v).transpose(1, 2).flatten(2)  # (batch, seq, d_model)
    return _linear(heads, w_o, b_o).to(x.dtype)


def _linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """x·Wᵀ + b in the dtype of x."""
    projected = x @ weight.to(x.dtype).T
    return projected if bias is None else projected + bias.to(x.dtype)
