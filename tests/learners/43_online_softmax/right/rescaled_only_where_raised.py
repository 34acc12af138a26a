import torch


def online_softmax(blocks):
    m = total = None
    for block in blocks:
        dtype = block.dtype
        x = block.double()
        if m is None:
            m = x.new_full(x.shape[:-1], -torch.inf)
            total = x.new_zeros(x.shape[:-1])
        if not x.shape[-1]:
            continue
        top = x.amax(-1)
        raised = top > m
        factor = torch.where(raised, torch.exp(m - top), torch.ones_like(m))
        m = torch.where(raised, top, m)
        terms = torch.exp(x - m[..., None])
        terms = torch.where(x == -torch.inf, torch.zeros_like(x), terms)
        total = total * factor + terms.sum(-1)
    if m is None:
        raise ValueError("there are no blocks")
    return m.to(dtype), total.to(dtype)
