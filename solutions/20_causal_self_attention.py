"""# Causal self-attention: a worked answer

## Step by step

1. Refuse a `num_heads` that doesn't divide d_model.
2. Project: x·Wᵀ three times, (batch, seq, d_model).
3. Cut into heads. `unflatten` splits the last axis into (heads, head_dim); `transpose` brings heads before seq, so
   that a matrix product treats each head on its own. A `view` straight to (batch, heads, seq, head_dim) has the right
   shape and mixes tokens with heads.
4. Scores are (batch, heads, seq, seq), scaled by 1/√head_dim: the sum in a score runs over head_dim channels, not
   d_model.
5. Hide the future before the softmax: everything strictly above the diagonal becomes −inf. The diagonal stays, so no
   row is ever empty and NaN can't arise.
6. Average the values, and undo step 3 in reverse order: transpose first, then flatten.
7. `w_o` lets the heads' findings meet: until then each sat in channels of its own.

## Key functions

- `x @ w.T` is what `nn.Linear` does with its (out, in) weight.
- `torch.ones(s, s, dtype=torch.bool, device=x.device).triu(1)` is True for the future: above the diagonal, without it.
- `scores.masked_fill(future, -torch.inf)`, then `softmax(-1)`: over the keys.
- `t.transpose(1, 2).flatten(2)` joins heads; `view` would refuse, since a transposed tensor is not laid out that way.

## How to recognise the pattern

*Split, work apart, join*: many small attentions cost what one wide one does, and each may look for something else. The
shape to think in is (batch, heads, seq, head_dim), and every model file has these two reshapes. To test
causality, never read the mask: change the future and see that the past stands still. (Vaswani et al., 2017, section
3.2; Radford et al., "Improving Language Understanding by Generative Pre-Training", 2018.)
"""

import torch
from torch import Tensor


def causal_self_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int) -> Tensor:
    """x of shape (batch, seq, d_model), every token mixed with those before it: (batch, seq, d_model)."""
    _, seq, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{d_model} channels can't be cut into {num_heads} heads")
    wide = torch.promote_types(x.dtype, torch.float32)
    tokens = x.to(wide)
    q, k, v = (
        (tokens @ w.to(wide).T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for w in (w_q, w_k, w_v)
    )  # (batch, heads, seq, head_dim)
    scores = q @ k.mT * q.shape[-1] ** -0.5  # (batch, heads, seq, seq)
    future = torch.ones(seq, seq, dtype=torch.bool, device=x.device).triu(1)
    weights = scores.masked_fill(future, -torch.inf).softmax(-1)
    heads = (weights @ v).transpose(1, 2).flatten(2)  # (batch, seq, d_model)
    return (heads @ w_o.to(wide).T).to(x.dtype)
