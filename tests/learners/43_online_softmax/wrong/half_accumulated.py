import torch


def online_softmax(blocks):
    m = None
    for b in blocks:
        if m is None:
            m = torch.full(b.shape[:-1], -torch.inf, dtype=b.dtype, device=b.device)
            l = torch.zeros_like(m)
        if b.shape[-1] == 0:
            continue
        new = torch.maximum(m, b.amax(-1))
        safe = torch.where(new == -torch.inf, torch.zeros_like(new), new)
        l = l * torch.exp(m - safe) + torch.exp(b - safe[..., None]).sum(-1)
        m = new
    if m is None:
        raise ValueError("no blocks")
    return m, l
