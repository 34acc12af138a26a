import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    leaves = {k: v.detach().clone().requires_grad_() for k, v in params.items()}
    loss, tokens = None, 0
    for x, y in micro_batches:
        if y.numel() == 0:
            continue
        part, n = loss_sum_fn(leaves, x, y)
        loss = part if loss is None else loss + part
        tokens += n
    if tokens == 0:
        return {k: torch.zeros_like(v) for k, v in params.items()}, 0.0
    loss = loss / tokens
    loss.backward()
    return {k: torch.zeros_like(v) if v.grad is None else v.grad for k, v in leaves.items()}, loss.item()
