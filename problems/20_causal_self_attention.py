"""# Causal self-attention

In a decoder every token asks, offers and answers at once. Three matrices make of each token a query, a key and a
value; the width is cut into heads that attend on their own; a fourth matrix joins what they found. And since the model
learns to predict the next token, **no token may see one that comes after it**.

`x` is (batch, seq, d_model), `num_heads` is h, and each head has head_dim = d_model / h channels.

- **Weights** are stored (out, in), as in `nn.Linear`: a matrix W takes x to x·Wᵀ. There are no biases. All four are
  (d_model, d_model).
- **Heads.** The rows of `w_q`, `w_k` and `w_v` are grouped by head: head 0 owns the first head_dim output channels,
  head 1 the next head_dim, and so on.
- In each head the score of a query and a key is their dot product times 1/√head_dim. The token at position t
  attends to the positions 0 … t, **itself included**, with a softmax over just these.
- The heads' results are laid side by side in the same order, to d_model channels, and `w_o` takes them to the output,
  (batch, seq, d_model).

With one head, d_model = 1, all four weights [[1]] and the tokens 1, 2, 3, token 1 scores the tokens 0 and 1 with 2
and 4:

    token     scores      weights                           result
      0       1           1                                 1.000000
      1       2  4        0.119203  0.880797                1.880797
      2       3  6  9     0.002356  0.047314  0.950330      2.947974

Token 0 sees nothing but itself, so its result is W_o W_v x₀ whatever `w_q` and `w_k` hold. And cutting the sequence
short changes nothing of what is left: that is why a decoder can keep old keys and values instead of computing them
again.

## What is required

- Gradients reach `x` and all four weights. The arguments keep their values, and may be views.
- `seq` may be 0 or 1. Scores may be in the thousands.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result has the dtype of `x`. For float16 and bfloat16 all that lies between runs in float32 and is rounded once,
  at the end; float64 keeps all its digits.
- A `num_heads` that doesn't divide d_model, or is not positive, is a mistake of the caller: raise `ValueError`.
- `batch` may be 0. Tensors are made on the device of `x`, no decision depends on a tensor's values, the function
  works under `torch.func.vmap`, and no Python loop runs over positions (one over heads is fine).

PyTorch's own attention (`F.scaled_dot_product_attention`, `nn.MultiheadAttention` and their relatives) is what you
build, so an answer that calls it gets no points. `torch.softmax` is fine.
"""

import torch
from torch import Tensor


def causal_self_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int) -> Tensor:
    """x of shape (batch, seq, d_model), every token mixed with those before it: (batch, seq, d_model)."""
    raise NotImplementedError
