import torch


def gradient_accumulation(loss_sum_fn, params, micro_batches):
    batches = [b for b in micro_batches if b[1].numel()]
    leaves = {name: p.detach().clone().requires_grad_() for name, p in params.items()}
    total = 0.0
    for inputs, targets in batches:
        loss, _ = loss_sum_fn(leaves, inputs, targets)
        (loss / len(batches)).backward()
        total += loss.item() / len(batches)
    out = {}
    for name, p in leaves.items():
        out[name] = torch.zeros_like(params[name]) if p.grad is None else p.grad
    return out, total
