"""# Multi-head attention

In an encoder every token sees every other, before and behind. One matrix makes queries, keys and values in one go,
biases are added as in most encoders, and sentences of different lengths share a batch: the shorter ones are filled up
with padding that nobody may attend to.

`x` is (batch, seq, d_model), `num_heads` is h, and each head has head_dim = d_model / h channels.

- **Weights** are stored (out, in), as in `nn.Linear`: a matrix W and a bias b take x to x·Wᵀ + b. Either bias may be
  `None`, which adds nothing.
- **`w_qkv`** is (3·d_model, d_model) and `b_qkv` is (3·d_model): first all rows of the queries, then all of the keys,
  then all of the values. In each third the rows are grouped by head, as in `nn.MultiheadAttention`. (GPT-NeoX and
  Megatron store query, key and value rows head by head; the shapes are the same, the numbers are not.)
- In each head the score of a query and a key is their dot product times 1/√head_dim, with a softmax over the keys. The
  heads' results are laid side by side, and `w_o` (d_model, d_model) and `b_o` take them to the result, (batch, seq,
  d_model).
- **`key_padding_mask`** is a bool tensor (batch, seq). **True means: a real token**, which may be attended to.
  Padding gets no weight from anybody. (`nn.MultiheadAttention` says it the other way round.) It hides keys, not
  queries: a padded token's own row is computed like any other, and whoever calls ignores it.
- In a sample of nothing but padding no query sees a key. The heads then give zeros, so that every row of the result is
  `b_o` (zeros without one), and the gradient that such a sample sends back through its heads is zero, never NaN.

With d_model = 1, one head, `w_qkv` = [[1], [1], [2]], no `b_qkv`, `w_o` = [[1]] and `b_o` = [10], the values are
twice the tokens:

    tokens 1, 2, 3        token 0 scores      weights                         result
    all real               1    2    3        0.0900   0.2447   0.6652        2·2.575210 + 10 = 15.150421
    token 2 is padding     1    2    –        0.2689   0.7311   0             2·1.731059 + 10 = 13.462117
    all are padding        –    –    –        0        0        0                               10

Nothing here knows where a token stands: permute the tokens, and the results are permuted with them.

## What is required

- Gradients reach `x`, both weights and both biases. The arguments keep their values, and may be views.
- `seq` may be 0 or 1. Scores may be in the thousands.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result has the dtype of `x`. For float16 and bfloat16 all that lies between runs in float32 and is rounded once,
  at the end; float64 keeps all its digits.
- A `num_heads` that doesn't divide d_model, or is not positive, is a mistake of the caller: raise `ValueError`.
- `batch` may be 0. Tensors are made on the device of `x`, no decision depends on a tensor's values, the function works
  under `torch.func.vmap`, and no Python loop runs over positions (one over heads is fine).

PyTorch's own attention (`F.scaled_dot_product_attention`, `nn.MultiheadAttention` and their relatives) is what you
build, so an answer that calls it gets no points. `torch.softmax` is fine.
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
    raise NotImplementedError
