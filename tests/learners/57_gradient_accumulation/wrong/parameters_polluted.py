import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    for p in params.values():
        p.requires_grad_(True)
    loss, tokens = 0.0, 0
    for x, y in micro_batches:
        if len(y) == 0:
            continue
        s, n = loss_sum_fn(params, x, y)
        s.backward()
        loss += s.item()
        tokens += n
    tokens = max(tokens, 1)
    out = {}
    for k, p in params.items():
        out[k] = torch.zeros_like(p) if p.grad is None else p.grad / tokens
    return out, loss / tokens
