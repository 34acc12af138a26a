import torch


def online_softmax(blocks):
    blocks = [b for b in blocks]
    if len(blocks) == 0:
        raise ValueError("no blocks")
    m = torch.full(blocks[0].shape[:-1], -torch.inf)
    for b in blocks:
        if b.shape[-1]:
            m = torch.maximum(m, b.amax(-1))
    safe = torch.where(m == -torch.inf, torch.zeros_like(m), m)
    l = torch.zeros_like(m)
    for b in blocks:
        l = l + torch.exp(b - safe[..., None]).sum(-1)
    return m, l
