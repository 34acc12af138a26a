import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    zeros = {k: torch.zeros_like(v) for k, v in params.items()}
    micro_batches = [(x, y) for x, y in micro_batches if y.numel() > 0]
    if not micro_batches:
        return zeros, 0.0
    x = torch.cat([a for a, _ in micro_batches])
    y = torch.cat([b for _, b in micro_batches])
    leaves = {k: v.detach().clone().requires_grad_() for k, v in params.items()}
    loss, n = loss_sum_fn(leaves, x, y)
    if n == 0:
        return zeros, 0.0
    (loss / n).backward()
    return {k: zeros[k] if v.grad is None else v.grad for k, v in leaves.items()}, loss.item() / n
