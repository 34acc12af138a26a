from functools import reduce

import torch


def _one(fn, params, batch):
    leaves = {k: v.detach().requires_grad_() for k, v in params.items()}
    loss, n = fn(leaves, *batch)
    grads = torch.autograd.grad(loss, list(leaves.values()), materialize_grads=True)
    return [g.to(torch.promote_types(g.dtype, torch.float32)) for g in grads], loss.item(), n


def _add(a, b):
    return [x + y for x, y in zip(a[0], b[0])], a[1] + b[1], a[2] + b[2]


def _mean(params, state):
    n = max(state[2], 1)
    return {k: (g / n).to(p.dtype) for (k, p), g in zip(params.items(), state[0])}, state[1] / n


gradient_accumulation = lambda loss_sum_fn, params, micro_batches: _mean(
    params,
    reduce(
        _add,
        (_one(loss_sum_fn, params, b) for b in micro_batches if b[1].numel()),
        ([torch.zeros_like(p, dtype=torch.promote_types(p.dtype, torch.float32)) for p in params.values()], 0.0, 0),
    ),
)
