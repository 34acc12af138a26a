import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    ps = list(params.values())
    acc = [torch.zeros_like(p) for p in ps]
    for p in ps:
        p.requires_grad = True
    loss, tokens = 0.0, 0
    for x, y in micro_batches:
        if len(y) == 0:
            continue
        s, n = loss_sum_fn(params, x, y)
        gs = torch.autograd.grad(s, ps, materialize_grads=True)
        acc = [a + g for a, g in zip(acc, gs)]
        loss += s.item()
        tokens += n
    tokens = max(tokens, 1)
    return {k: a / tokens for k, a in zip(params, acc)}, loss / tokens
