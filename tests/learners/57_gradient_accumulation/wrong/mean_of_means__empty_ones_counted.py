import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    leaves = {k: v.detach().clone().requires_grad_() for k, v in params.items()}
    total = 0.0
    for x, y in micro_batches:
        if y.numel() == 0:
            continue
        loss_sum, n = loss_sum_fn(leaves, x, y)
        loss = loss_sum / max(n, 1) / len(micro_batches)
        loss.backward()
        total += loss.item()
    return {k: torch.zeros_like(v) if v.grad is None else v.grad.clone() for k, v in leaves.items()}, total
