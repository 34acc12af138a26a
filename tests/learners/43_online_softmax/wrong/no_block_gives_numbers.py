import torch


def online_softmax(blocks):
    m = torch.tensor(float("-inf"))
    l = torch.tensor(0.0)
    for b in blocks:
        m = m.expand(b.shape[:-1])
        l = l.expand(b.shape[:-1])
        if b.shape[-1] == 0:
            continue
        new = torch.maximum(m, b.amax(-1))
        safe = torch.where(new == float("-inf"), 0.0, new)
        l = l * torch.exp(m - safe) + torch.exp(b - safe[..., None]).sum(-1)
        m = new
    return m, l
