import torch


def online_softmax(blocks):
    m = None
    s = None
    for b in blocks:
        if m is None:
            m = torch.full(b.shape[:-1], float("-inf"), dtype=b.dtype)
            s = torch.zeros(b.shape[:-1], dtype=b.dtype)
        if b.shape[-1] == 0:
            continue
        m_new = torch.maximum(m, b.max(dim=-1).values)
        s = s * torch.exp(m - m_new) + torch.exp(b - m_new.unsqueeze(-1)).sum(dim=-1)
        m = m_new
    if m is None:
        raise ValueError("no blocks")
    return m, s
