import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    grads, loss, tokens = {}, 0.0, 0
    for x, y in micro_batches:
        if not y.numel():
            continue
        leaves = {k: v.detach().requires_grad_() for k, v in params.items()}
        s, n = loss_sum_fn(leaves, x, y)
        if n == 0:
            continue
        g = torch.autograd.grad(s, tuple(leaves.values()), materialize_grads=True)
        for k, one in zip(leaves, g):
            grads[k] = grads[k] + one if k in grads else one
        loss += float(s)
        tokens += n
    n = max(tokens, 1)
    return {k: g / n for k, g in grads.items()}, loss / n
