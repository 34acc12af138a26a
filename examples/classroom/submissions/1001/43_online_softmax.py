import torch

NEG_INF = float("-inf")


def online_softmax(blocks):
    m = s = None
    for block in blocks:
        x = block if block.dtype == torch.float64 else block.to(torch.float32)
        if m is None:
            out_dtype = block.dtype
            m = torch.full(x.shape[:-1], NEG_INF, dtype=x.dtype, device=x.device)
            s = torch.zeros_like(m)
        if x.shape[-1] == 0:
            continue
        m_new = torch.maximum(m, x.max(dim=-1).values)
        shift = torch.where(torch.isneginf(m_new), torch.zeros_like(m_new), m_new)
        s = s * torch.exp(m - shift) + torch.exp(x - shift.unsqueeze(-1)).sum(dim=-1)
        m = m_new
    if m is None:
        raise ValueError("online_softmax needs at least one block")
    return m.to(out_dtype), s.to(out_dtype)
