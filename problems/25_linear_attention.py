"""# Linear attention

Softmax attention compares every token with every other: twice the length costs four times as much. If a weight were a
*product*, φ(q)·φ(k), the sum over keys could be made **once** and then be asked by every query. That is linear
attention: its cost grows with the length, and it can run like a recurrent network.

- `q` and `k` are (batch, heads, seq, head_dim), `v` is (batch, heads, seq, v_dim). Position t of all three is one
  token.
- The **feature map** φ works on each entry and keeps it positive: φ(x) = elu(x) + 1, which is x + 1 where x > 0 and eˣ
  elsewhere. The weight of key j for query i is the dot product φ(qᵢ)·φ(kⱼ). There is **no** 1/√head_dim and no softmax.
- The result for query i is the weighted mean of the values,

      φ(qᵢ) · Σⱼ φ(kⱼ) vⱼᵀ   divided by   φ(qᵢ) · Σⱼ φ(kⱼ)  +  eps

  with shape (batch, heads, seq, v_dim). `eps` is added to the denominator, whatever its size.
- With `causal=True` both sums run over the keys j ≤ i, **itself included**. With `causal=False` they run over all.
- **No tensor as large as seq × seq may be made** (nor a mask of that size): multiply keys with values first, and the
  queries with the sums. Tensors of seq · head_dim · v_dim numbers are fine, and so are tables within blocks of up to
  128 positions.

Three tokens, head_dim 2, v_dim 1:

    q            k           v     φ(q)          φ(k)          weights of the keys 0, 1, 2       causal      all keys
    [ 1, 0]     [0,  0]     10    [2,      1]   [1, 1     ]    3         4.367879  4         10.000000    24.398424
    [ 0, 1]     [1, -1]     20    [1,      2]   [2, 0.3679]    3         2.735759  5         14.769681    26.520337
    [-1, 1]     [0,  1]     40    [0.3679, 2]   [1, 2     ]    2.367879  1.471518  4.367879  27.758825    27.758825

The last causal row is the last row over all keys, and the first causal row is v₀ (but for `eps`).

## What is required

- Entries of `q` and `k` may be in the hundreds, on either side of 0; results and gradients stay finite.
- Gradients reach `q`, `k` and `v`. The arguments keep their values, and may be transposed, sliced or expanded views.
- `seq` may be 0 or 1, and need not be a multiple of anything.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result has the dtype of `q`. For float16 and bfloat16 all that lies between runs in float32 and is rounded once,
  at the end; float64 keeps all its digits.
- `q` and `k` of different shapes, or `k` and `v` of different seq, are a mistake of the caller: raise `ValueError`.
- `batch` and `heads` may be 0.
- Tensors are made on the device of the arguments, no decision depends on a tensor's values, the function works under
  `torch.func.vmap`, and no Python loop runs over single positions (one over blocks of them is fine).

PyTorch's own attention (`F.scaled_dot_product_attention`, `nn.MultiheadAttention` and their relatives) gets no points.
"""

import torch
from torch import Tensor


def linear_attention(q: Tensor, k: Tensor, v: Tensor, causal: bool = True, eps: float = 1e-6) -> Tensor:
    """Values averaged with the weights φ(q)·φ(k), at a cost that grows with seq: (batch, heads, seq, v_dim)."""
    raise NotImplementedError
