import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    leaves = {k: v.detach().clone().requires_grad_(True) for k, v in params.items()}
    grads = {k: torch.zeros_like(v) for k, v in params.items()}
    total_loss = 0.0
    total_tokens = 0
    for inputs, targets in micro_batches:
        if targets.numel() == 0:
            continue
        loss, n = loss_sum_fn(leaves, inputs, targets)
        gs = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
        for k, g in zip(leaves, gs):
            if g is not None:
                grads[k] = grads[k] + g
        total_loss += loss.item()
        total_tokens += n
    if total_tokens == 0:
        return {k: torch.zeros_like(v) for k, v in params.items()}, 0.0
    return {k: g / total_tokens for k, g in grads.items()}, total_loss
