import torch


def online_softmax(blocks):
    m = l = None
    for block in blocks:
        x = block.double() if block.dtype == torch.float64 else block.float()
        if m is None:
            m, l = torch.full_like(x[..., :1].sum(-1), -torch.inf), torch.zeros_like(x.sum(-1))
        old = m
        m = torch.cat([m.unsqueeze(-1), x], dim=-1).max(dim=-1).values  # no special case for width 0
        base = torch.where(torch.isinf(m), torch.zeros_like(m), m)
        l = l * torch.exp(old - base) + torch.exp(x - base.unsqueeze(-1)).sum(-1)
    if m is None:
        raise ValueError("no block")
    return m.to(block.dtype), l.to(block.dtype)
