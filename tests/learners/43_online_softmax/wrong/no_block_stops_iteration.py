import torch


def stats(b):
    if b.shape[-1] == 0:
        return torch.full(b.shape[:-1], -torch.inf), torch.zeros(b.shape[:-1])
    m = b.amax(-1)
    return m, torch.exp(b - m.masked_fill(m.isneginf(), 0)[..., None]).sum(-1)


def online_softmax(blocks):
    it = iter(blocks)
    m, l = stats(next(it))
    for b in it:
        bm, bl = stats(b)
        new = torch.maximum(m, bm)
        safe = new.masked_fill(new.isneginf(), 0)
        l = l * torch.exp(m - safe) + bl * torch.exp(bm - safe)
        m = new
    return m, l
