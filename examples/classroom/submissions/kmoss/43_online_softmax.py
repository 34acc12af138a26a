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
        shift = torch.where(torch.isinf(m_new), torch.zeros_like(m_new), m_new)
        s = torch.exp(b - shift.unsqueeze(-1)).sum(dim=-1)
        m = m_new
    if m is None:
        raise ValueError("no blocks")
    return m, s
