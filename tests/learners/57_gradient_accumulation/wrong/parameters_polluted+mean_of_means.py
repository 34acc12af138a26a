import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    for p in params.values():
        p.requires_grad_()
        p.grad = torch.zeros_like(p)
    batches = [b for b in micro_batches if len(b[1])]
    losses = []
    for x, y in batches:
        loss_sum, n = loss_sum_fn(params, x, y)
        loss = loss_sum / n
        loss.backward()
        losses.append(loss.item())
    k = max(len(batches), 1)
    return {name: p.grad / k for name, p in params.items()}, sum(losses) / k
