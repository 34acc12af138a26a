"""# Grouped-query attention

While a model writes, the keys and values of every earlier token are kept in memory, for each head. Grouped-query
attention makes that cache smaller: there are fewer heads of keys and values than of queries, and **neighbouring query
heads share one**. Everything else is attention as you know it.

- `q` is (batch, heads, q_len, head_dim), `k` and `v` are (batch, kv_heads, k_len, head_dim). `heads` is a multiple of
  `kv_heads`, and `group = heads / kv_heads` query heads share each head of keys and values.
- **The first `group` query heads read head 0 of `k` and `v`, the next `group` read head 1**, and so on. (So do Llama
  and Mistral.) With one kv head all query heads share it (multi-query attention); with as many as query heads
  nothing is shared.
- A score is the dot product of query and key times 1/√head_dim. A softmax over the keys makes weights of one query's
  scores, and the result is the values averaged with them: (batch, heads, q_len, head_dim).
- `mask` is a bool tensor that broadcasts to (batch, heads, q_len, k_len), where heads are **query** heads: two that
  share their keys may still see different ones. **True means: may attend.** A hidden key gets no weight, and the
  weights of the others sum to 1.
- A query that sees no key gives **zeros**, and the gradient that it sends back is zero too, never NaN. `k_len = 0` is
  the same for all queries.

Four query heads and two kv heads, so group is 2; head_dim is 1, and there are one query and two keys:

    query head    query    reads kv head    keys    values    weights               result
        0           1           0           1  0    10  20    0.731059  0.268941    12.689414
        1           2           0           1  0    10  20    0.880797  0.119203    11.192029
        2           1           1           0  1    30  40    0.268941  0.731059    37.310586
        3           2           1           0  1    30  40    0.119203  0.880797    38.807971

## What is required

- Gradients reach `q`, `k` and `v`; what a shared head gets is the sum over its group. The arguments keep their values,
  and may be transposed, sliced or expanded views.
- Scores may be in the thousands.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result has the dtype of `q`. For float16 and bfloat16 all that lies between runs in float32 and is rounded once,
  at the end; float64 keeps all its digits.
- If `heads` is not a multiple of `kv_heads`, it is a mistake of the caller: raise `ValueError`.
- `batch` and `q_len` may be 0.
- Tensors are made on the device of the arguments, and no decision depends on a tensor's values, so that it works under
  `torch.func.vmap`. No Python loop over queries or keys (one over heads is fine).

PyTorch's own attention (`F.scaled_dot_product_attention`, `nn.MultiheadAttention` and their relatives) is what you
build, so an answer that calls it gets no points. `torch.softmax` is fine.
"""

import torch
from torch import Tensor


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """Query heads that share heads of keys and values by groups: (batch, heads, q_len, head_dim)."""
    raise NotImplementedError
