import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    work = [(x, y) for x, y in micro_batches if len(y) > 0]
    names = list(params)
    leaves = [params[n].detach().requires_grad_() for n in names]
    acc = [torch.zeros_like(p) for p in leaves]
    loss_acc = 0.0
    for x, y in work:
        loss_sum, count = loss_sum_fn(dict(zip(names, leaves)), x, y)
        if count == 0:
            continue
        loss = loss_sum / count / len(work)
        for a, g in zip(acc, torch.autograd.grad(loss, leaves, allow_unused=True)):
            if g is not None:
                a.add_(g)
        loss_acc += loss.item()
    return {n: a.detach() for n, a in zip(names, acc)}, loss_acc
