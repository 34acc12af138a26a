"""# Sliding-window attention: a worked answer

## Step by step

1. Refuse a window below 1: a query would see nothing.
2. Scores, (seq, seq) for each batch row and head, scaled by 1/√head_dim.
3. How far is key j behind query i? `i − j`, a table made of one arange by broadcasting. Visible is what lies at least 0
   and fewer than `window` steps behind. Both bounds are needed: the first hides the future, the second the far past.
4. Hide the rest with −inf before the softmax. Each query sees itself, so no row is empty and no NaN can arise.
5. Average the values.

## Key functions

- `positions[:, None] - positions` is (seq, seq): row i minus column j.
- The same band out of triangles: `ones.tril().triu(1 - window)`. The diagonal and `window − 1` below it are kept.
- `unfold(2, window, 1)` on keys that were padded in front gives every query its own window and needs no (seq, seq)
  table: seq · window scores instead of seq².

## How to recognise the pattern

A *band* in a table is two conditions on i − j. When a boundary is inclusive on one side and exclusive on the other,
name which: `0 ≤ i − j < window` holds exactly `window` numbers. With L layers a token can hear from L · (window − 1)
positions back, as stacked convolutions do. (Beltagy et al., "Longformer: The Long-Document Transformer", 2020; Jiang et
al., "Mistral 7B", 2023.)
"""

import torch
from torch import Tensor


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Each token mixed with at most `window` tokens, itself the last: (batch, heads, seq, head_dim)."""
    if window < 1:
        raise ValueError(f"a window of {window} leaves a query nothing to see")
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).mT * q.shape[-1] ** -0.5  # (batch, heads, seq, seq)
    positions = torch.arange(q.shape[-2], device=q.device)
    behind = positions[:, None] - positions  # (seq, seq): how many steps key j lies behind query i
    visible = (behind >= 0) & (behind < window)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(-1)
    return (weights @ v.to(wide)).to(q.dtype)
