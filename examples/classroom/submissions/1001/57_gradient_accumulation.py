import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    sums = {k: v.double() * 0 for k, v in params.items()}
    total, count = 0.0, 0
    for p in params.values():
        p.requires_grad_(True)
    try:
        for x, y in micro_batches:
            if y.numel() == 0:
                continue
            s, n = loss_sum_fn(params, x, y)
            gs = torch.autograd.grad(s, list(params.values()), allow_unused=True)
            sums = {k: t if g is None else t + g for (k, t), g in zip(sums.items(), gs)}
            total, count = total + s.item(), count + n
            del s
    finally:
        for p in params.values():
            p.requires_grad_(False)
    return {k: (t / (count or 1)).detach().to(params[k].dtype) for k, t in sums.items()}, total / (count or 1)
