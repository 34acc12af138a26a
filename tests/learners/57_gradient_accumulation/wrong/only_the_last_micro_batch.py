import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    result = {k: torch.zeros_like(v) for k, v in params.items()}, 0.0
    for x, y in micro_batches:
        if y.numel() == 0:
            continue
        leaves = {k: v.detach().requires_grad_() for k, v in params.items()}
        loss, n = loss_sum_fn(leaves, x, y)
        loss = loss / max(n, 1)
        loss.backward()
        grads = {k: v.grad if v.grad is not None else torch.zeros_like(v) for k, v in leaves.items()}
        result = grads, loss.item()
    return result
