"""# Gradient accumulation: a worked answer

## Step by step

1. Make leaves of your own: `p.detach()` shares the numbers of the caller's tensor but not its place in
   autograd, so `requires_grad_()` on it leaves the caller's tensor alone.
2. Start a sum of zeros for each parameter, a loss of 0 and a count of 0.
3. For each micro-batch that has targets: one call, the gradient of the loss *sum*, and everything is added:
   gradients, loss, tokens. The graph is freed by taking the gradient, before the next one is built.
4. Divide once, at the end, by the number of all tokens. Dividing each micro-batch by its own count would
   weigh a token in a short micro-batch more than one in a long.
5. Without tokens there is nothing to divide: sums of zero divided by 1 are the zeros that are asked for.

## Key functions

- `torch.autograd.grad(loss, leaves)` returns gradients instead of adding them to `.grad`: nothing to reset,
  nothing left behind. `materialize_grads=True` gives zeros for a leaf that the loss does not use, where
  otherwise an error is raised.
- `torch.zeros_like(p, dtype=torch.float32)` is a sum that still grows when single gradients are tiny beside
  it; in bfloat16, 256 + 1 is 256.
- `loss_sum.item()` is a number without a graph. Adding up `loss_sum` itself would keep every graph alive.

## How to recognise the pattern

A mean over parts of unequal size is never the mean of the parts' means. Carry (sum, count) through every
split, whether over micro-batches, over devices or over the blocks of a row, and divide once at the very end.
The same holds for perplexity over documents and for metrics over a validation set.
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
    leaves = {name: p.detach().requires_grad_() for name, p in params.items()}
    sums = [torch.zeros_like(p, dtype=torch.promote_types(p.dtype, torch.float32)) for p in params.values()]
    loss, tokens = 0.0, 0
    for inputs, targets in micro_batches:
        if targets.numel() == 0:
            continue
        loss_sum, count = loss_sum_fn(leaves, inputs, targets)
        gradients = torch.autograd.grad(loss_sum, list(leaves.values()), materialize_grads=True)
        sums = [total + gradient for total, gradient in zip(sums, gradients, strict=True)]
        loss += loss_sum.item()
        tokens += count
    tokens = max(tokens, 1)
    means = {name: (total / tokens).to(p.dtype) for (name, p), total in zip(params.items(), sums, strict=True)}
    return means, loss / tokens
