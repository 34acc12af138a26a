import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    leaves = {k: v.detach().clone().requires_grad_() for k, v in params.items()}
    loss, tokens = 0.0, 0
    for x, y in micro_batches:
        if len(y) == 0:
            continue
        s, n = loss_sum_fn(leaves, x, y)
        s.backward()
        loss += s.item()
        tokens += n
    if tokens == 0:
        return {k: torch.zeros_like(v) for k, v in params.items()}, 0.0
    return {k: v.grad / tokens for k, v in leaves.items() if v.grad is not None}, loss / tokens
