import torch


def online_softmax(blocks):
    m = None
    for block in blocks:
        if m is None:
            m = torch.full(block.shape[:-1], -torch.inf)
            l = torch.zeros(block.shape[:-1])
        if block.shape[-1] == 0:
            continue
        new_m = torch.maximum(m, block.amax(dim=-1))
        l = l * torch.exp(new_m - m) + torch.exp(block - new_m[..., None]).sum(dim=-1)
        m = new_m
    if m is None:
        raise ValueError
    return m, l
