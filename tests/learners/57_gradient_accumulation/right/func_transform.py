import torch
from torch.func import grad_and_value


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    wide = {k: torch.promote_types(v.dtype, torch.float32) for k, v in params.items()}
    grads = {k: torch.zeros_like(v, dtype=wide[k]) for k, v in params.items()}
    loss_sum = 0.0
    tokens = 0
    for inputs, targets in micro_batches:
        if targets.numel() == 0:
            continue
        seen = []

        def loss(p):
            value, count = loss_sum_fn(p, inputs, targets)
            seen.append(count)
            return value

        g, value = grad_and_value(loss)({k: v.detach() for k, v in params.items()})
        for k in grads:
            grads[k] = grads[k] + g[k]
        loss_sum += value.item()
        tokens += seen[0]
    n = tokens if tokens else 1
    return {k: (v / n).to(params[k].dtype) for k, v in grads.items()}, loss_sum / n
