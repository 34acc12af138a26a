"""# Linear attention: a worked answer

## Step by step

1. Map queries and keys to positive features, elu(x) + 1. Positive weights make a mean of the values; plain elu would
   give negative ones, and a denominator that can pass through 0.
2. The weight is a product, so the sum over keys can be moved inside: Σⱼ (φ(q)·φ(kⱼ)) vⱼ = φ(q) · (Σⱼ φ(kⱼ) vⱼᵀ). In
   brackets stands a small matrix, (head_dim, v_dim), that knows nothing of the query: the **state**.
3. Over all keys it is one product, φ(k)ᵀ·v. In the causal form each query needs the state up to its own position: a
   running sum over the sequence.
4. The denominator is the same thing with 1 in place of v: φ(q) · Σφ(k). It needs the same running sum, or the future
   leaks in through the weights' total.
5. Divide, with eps.

## Key functions

- `torch.einsum("...sd,...sv->...sdv", k, v)` multiplies each key with its value; `cumsum` over the sequence adds up.
- exp is taken of min(x, 0) only. In `where(x > 0, x + 1, exp(x))` the exp of a large x is not chosen and still becomes
  infinite, and its gradient 0 · inf is NaN.
- Appending a column of ones to `v` gives numerator and denominator in one pass.
- The running sum keeps seq states. Real kernels keep one: they go by blocks, with a causal table inside of each block
  and the state of all blocks before.

## How to recognise the pattern

Brackets: (Q Kᵀ) V costs seq², Q (Kᵀ V) costs seq. A softmax stands between the two factors and forbids to move them; a
product of features doesn't. The running state is a recurrent network's memory of fixed size, which is the price: it
can't tell apart as many tokens as a table of all scores can. (Katharopoulos et al., "Transformers are RNNs", 2020.)
"""

import torch
from torch import Tensor


def linear_attention(q: Tensor, k: Tensor, v: Tensor, causal: bool = True, eps: float = 1e-6) -> Tensor:
    """Values averaged with the weights φ(q)·φ(k), at a cost that grows with seq: (batch, heads, seq, v_dim)."""
    if q.shape != k.shape or k.shape[:-1] != v.shape[:-1]:
        raise ValueError(f"queries {tuple(q.shape)}, keys {tuple(k.shape)} and values {tuple(v.shape)} don't fit")
    wide = torch.promote_types(q.dtype, torch.float32)
    asked, offered = (t.clamp_min(0) + t.clamp_max(0).exp() for t in (q.to(wide), k.to(wide)))  # elu + 1
    if causal:
        states = torch.einsum("...sd,...sv->...sdv", offered, v.to(wide)).cumsum(-3)  # one for each position
        mixed, total = torch.einsum("...sd,...sdv->...sv", asked, states), offered.cumsum(-2)
    else:
        mixed, total = asked @ (offered.mT @ v.to(wide)), offered.sum(-2, keepdim=True)
    return (mixed / ((asked * total).sum(-1, keepdim=True) + eps)).to(q.dtype)
