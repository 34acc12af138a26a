"""# Gradient accumulation

A batch that is too large for the memory is cut into micro-batches. Each goes through the model alone, its
gradient is added to a running sum, and only at the end comes one step of the optimiser. Done right, the
result is the very gradient of the large batch. Done almost right, it is the mistake that several training
libraries made until October 2024.

`loss_sum_fn(params, inputs, targets)` returns `(loss_sum, count)`: the loss *summed* over the tokens of one
micro-batch, a tensor of shape `()`, and how many tokens that were, an int. Return the gradient and the value
of the **mean loss per token** over everything,

    L = (sum of all loss_sum) / (sum of all counts),

as a tuple of a dict, with a gradient for each name in `params`, and a Python float.

Micro-batches rarely hold equally many tokens. Take one weight `w = 1`, the loss `(w·x − y)²` a token, and two
micro-batches:

    x = [1, 2], y = [0, 0]     loss sum 1 + 4 = 5     gradient of the sum 2 + 8 = 10     2 tokens
    x = [3],    y = [1]        loss sum 4             gradient of the sum 12             1 token

The result is the gradient `(10 + 12) / 3 = 7.3333` and the loss `(5 + 4) / 3 = 3.0`.

- Call `loss_sum_fn` once for each micro-batch, in order. One without any entry in its targets is skipped: no
  call.
- The memory has room for the graph of one micro-batch. Take its gradient before you ask for the next loss,
  and don't join micro-batches.
- A micro-batch may have entries and still count 0 tokens, when all of it is padding. It is called like any
  other.
- No tokens at all (an empty list, nothing but skipped or padded micro-batches): all gradients are zeros, the
  loss is `0.0`.
- A parameter that the loss does not depend on has a gradient of zeros.
- `params` belong to the caller. They come without `requires_grad`, and that, their values and their `.grad`
  stay as they are.
- Each gradient has the shape and dtype of its parameter and no graph. For float16 and bfloat16 parameters the
  sum over micro-batches runs in float32.
"""

from collections.abc import Callable

import torch
from torch import Tensor


def gradient_accumulation(
    loss_sum_fn: Callable[[dict[str, Tensor], Tensor, Tensor], tuple[Tensor, int]],
    params: dict[str, Tensor],
    micro_batches: list[tuple[Tensor, Tensor]],
) -> tuple[dict[str, Tensor], float]:
    """Gradient, by parameter name, and value of the mean loss per token over all micro-batches (inputs, targets)."""
    raise NotImplementedError
