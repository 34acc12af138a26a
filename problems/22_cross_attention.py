"""# Cross-attention

A decoder that translates looks at the sentence it translates; an image model looks at the words that describe the
image. The tokens of `x` ask, and the tokens of another sequence, the **context**, answer: queries come from `x`, keys
and values from `context`.

- `x` is (batch, q_len, d_model), `context` is (batch, k_len, d_context). Lengths and widths may differ.
- **Weights** are stored (out, in), as in `nn.Linear`: a matrix W takes x to x·Wᵀ. There are no biases. `w_q` is (width,
  d_model), `w_k` and `w_v` are (width, d_context), `w_o` is (d_model, width).
- **Heads.** `num_heads` is h, and each head has head_dim = width / h channels; rows are grouped by head. Note that
  the heads' width is that of the *weights* and need not be d_model.
- In each head the score of a query and a key is their dot product times 1/√head_dim, with a softmax over the context.
  The heads' results are laid side by side, and `w_o` takes them to (batch, q_len, d_model).
- Every query sees the whole context. It was there before, so nothing in it is the future: **no causal mask**.
- **`context_mask`** is a bool tensor (batch, k_len). **True means: may be attended to.**
- Where no context token is visible, or there is none (`k_len = 0`), the result is **zeros**, and the gradient that
  comes back is zero too, never NaN.

With all widths 1, one head, `w_q` = `w_k` = [[1]], `w_v` = [[10]], `w_o` = [[1]], and the single query 2:

    context                  scores        weights                        result
    1, 0, 2                  2  0  4       0.117310  0.015876  0.866814   18.509371
    1, 0, (2 is hidden)      2  0  –       0.880797  0.119203  0           8.807971
    none visible             –  –  –       0         0         0           0

The context has no order here: shuffle its tokens, mask and all, and the result stays.

## What is required

- Gradients reach `x`, `context` and all four weights. The arguments keep their values, and may be views.
- `q_len` and `k_len` may be 0. Scores may be in the thousands.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result has the dtype of `x`. For float16 and bfloat16 all that lies between runs in float32 and is rounded once,
  at the end; float64 keeps all its digits.
- A `num_heads` that doesn't divide width, or is not positive, is a mistake of the caller: raise `ValueError`.
- `batch` may be 0. Tensors are made on the device of `x`, no decision depends on a tensor's values, the function works
  under `torch.func.vmap`, and no Python loop runs over queries or context tokens (one over heads is fine).

PyTorch's own attention (`F.scaled_dot_product_attention`, `nn.MultiheadAttention` and their relatives) is what you
build, so an answer that calls it gets no points. `torch.softmax` is fine.
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
    raise NotImplementedError
