import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    wide = {k: torch.float64 if v.dtype == torch.float64 else torch.float32 for k, v in params.items()}
    grads = {k: torch.zeros(v.shape, dtype=wide[k], device=v.device) for k, v in params.items()}
    loss, tokens = 0.0, 0
    for inputs, targets in micro_batches:
        if targets.numel() == 0:
            continue
        leaves = {k: v.detach().requires_grad_(True) for k, v in params.items()}
        s, n = loss_sum_fn(leaves, inputs, targets)
        for k, g in zip(leaves, torch.autograd.grad(s, list(leaves.values()), allow_unused=True)):
            if g is not None:
                grads[k] += g
        loss += float(s)
        tokens += n
    if tokens == 0:
        return {k: torch.zeros_like(v) for k, v in params.items()}, 0.0
    return {k: (g / tokens).to(params[k].dtype) for k, g in grads.items()}, loss / tokens
