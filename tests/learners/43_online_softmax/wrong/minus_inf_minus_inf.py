import torch


def online_softmax(blocks):
    m, l = None, None
    for b in blocks:
        top = b.amax(-1) if b.shape[-1] else torch.full(b.shape[:-1], -torch.inf)
        if m is None:
            m = torch.full_like(top, -torch.inf)
            l = torch.zeros_like(top)
        m_new = torch.maximum(m, top)
        l = l * torch.exp(m - m_new) + torch.exp(b - m_new[..., None]).sum(-1)
        m = m_new
    if m is None:
        raise ValueError("no block")
    return m, l
