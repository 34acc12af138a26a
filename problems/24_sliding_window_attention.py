"""# Sliding-window attention

In a long text most of what a token needs stands close by. With a sliding window each token attends to itself and to the
few tokens just before it, and to nothing else. Layers stacked on each other still reach far: every layer reaches one
window further back.

- `q`, `k` and `v` are (batch, heads, seq, head_dim). Query, key and value number t belong to the token at position t.
- The query at position i attends to the keys at positions j with `i − window < j ≤ i`. So it never sees the future, and
  **the window counts the token itself**: `window = 3` means the token and two before it. (Mistral and Hugging Face read
  it so; FlashAttention's left window is one smaller.)
- A score is the dot product of query and key times 1/√head_dim. A softmax over the visible keys makes weights, and the
  result is the values averaged with them: (batch, heads, seq, head_dim).
- The window **slides**: every query has one of its own. The first tokens simply have fewer keys to look at.
- A window of at least seq is plain causal attention. With `window = 1` each token sees itself alone, and the result is
  `v`.

For `window = 2`, all queries and keys 1, head_dim 1, and the values 10, 20, 40, 80 (equal scores, so plain means):

    position     sees        weights     result
       0         0           1             10
       1         0  1        ½  ½          15
       2         1  2        ½  ½          30
       3         2  3        ½  ½          60

## What is required

- Gradients reach `q`, `k` and `v`. The arguments keep their values, and may be transposed, sliced or expanded views.
- `seq` may be 0 or 1. Scores may be in the thousands.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result has the dtype of `q`. For float16 and bfloat16 all that lies between runs in float32 and is rounded once,
  at the end; float64 keeps all its digits.
- A `window` below 1 is a mistake of the caller: raise `ValueError`.
- `batch` and `heads` may be 0.
- Tensors are made on the device of the arguments, no decision depends on a tensor's values, the function works under
  `torch.func.vmap`, and no Python loop runs over single positions (one over blocks of them is fine).

A table of all (seq, seq) scores is fine here; that far fewer of them are needed is what real kernels live on. PyTorch's
own attention (`F.scaled_dot_product_attention`, `flex_attention`, `nn.MultiheadAttention` and their relatives) is what
you build, so an answer that calls it gets no points. `torch.softmax` is fine.
"""

import torch
from torch import Tensor


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Each token mixed with at most `window` tokens, itself the last: (batch, heads, seq, head_dim)."""
    raise NotImplementedError
