import torch


def online_softmax(blocks):
    row = torch.cat([b.detach().clone() for b in blocks] or [torch.empty(0)], dim=-1)
    if row.dim() == 1 and row.numel() == 0:
        raise ValueError("no blocks")
    x = row if row.dtype == torch.float64 else row.float()
    if x.shape[-1] == 0:
        return row.new_full(row.shape[:-1], -torch.inf), row.new_zeros(row.shape[:-1])
    m = x.max(-1).values
    l = (x - m.nan_to_num(neginf=0.0).unsqueeze(-1)).exp().sum(-1)
    return m.to(row.dtype), l.to(row.dtype)
