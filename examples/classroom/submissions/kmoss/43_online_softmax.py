import torch


def online_softmax(blocks):
    m = s = None
    for b in blocks:
        if m is None:
            m = torch.zeros(b.shape[:-1])
            s = torch.zeros(b.shape[:-1])
        if b.shape[-1] == 0:
            continue
        new = torch.maximum(m, b.amax(-1))
        s = s * (m - new).exp() + (b - new[..., None]).exp().sum(-1)
        m = new
    if m is None:
        raise ValueError("no blocks")
    return m, s
