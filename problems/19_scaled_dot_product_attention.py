"""# Scaled dot-product attention

Attention looks things up softly. Each **query** is compared with every **key**, the comparisons become weights that are
positive and sum to 1, and the result is the average of the **values** under these weights. It is the one operation
of a transformer in which tokens exchange anything.

- `q` is (batch, heads, q_len, head_dim), `k` is (batch, heads, k_len, head_dim), `v` is (batch, heads, k_len, v_dim).
  Key `j` and value `j` belong together. `q_len`, `k_len`, `head_dim` and `v_dim` may all differ.
- The **score** of a query and a key is their dot product times `scale`. Without a `scale` it is 1/√head_dim, where
  head_dim is the width of queries and keys. A `scale` that is given replaces that factor, be it 0, negative or an int.
- A softmax **over the keys** turns each query's scores into its weights.
- The result is (batch, heads, q_len, v_dim): for each query, the values averaged with its weights.
- `mask` is a bool tensor that broadcasts to (batch, heads, q_len, k_len). **True means: may attend.** A key that is
  not visible gets no weight at all, and the weights of the others still sum to 1. (`nn.MultiheadAttention` and
  Hugging Face's additive masks say it the other way round.)
- A query that sees no key has nothing to average: its result is **zeros**, and the gradient that it sends back is
  zero too, never NaN. `k_len = 0` is the same for all queries.

One query [2, 0, 0, 0] meets three keys and three values, so head_dim is 4 and the scale is ½:

    keys                 values    scores   weights     visible: keys 0 and 1
    [1, 0, 0, 0]          [10]        1     0.244728        0.731059
    [0, 1, 0, 0]          [20]        0     0.090031        0.268941
    [2, 0, 0, 1]          [30]        2     0.665241        0
    result                                  24.205125      12.689414

## What is required

- Scores may lie in the ten thousands, on either side of 0; nothing overflows, and a hidden key stays hidden.
- Gradients reach `q`, `k` and `v`. The arguments keep their values, and may be transposed, sliced or expanded views.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result has the dtype of `q`. For float16 and bfloat16 all that lies between runs in float32 and is rounded once,
  at the end (float16 ends at 65504, and scores don't); float64 keeps all its digits.
- `q` and `k` of different head_dim, or `k` and `v` of different k_len, are a mistake of the caller: raise `ValueError`.
- `batch`, `heads` and `q_len` may be 0.
- Tensors are made on the device of the arguments, and no decision depends on a tensor's values, so that it works under
  `torch.func.vmap`. No Python loop over queries or keys.

PyTorch's own attention (`F.scaled_dot_product_attention`, `nn.MultiheadAttention` and their relatives) is what you
build, so an answer that calls it gets no points. `torch.softmax` is fine.
"""

import torch
from torch import Tensor


def scaled_dot_product_attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """The values (batch, heads, k_len, v_dim) averaged for each query: (batch, heads, q_len, v_dim)."""
    raise NotImplementedError
