import torch


def online_softmax(blocks):
    m = l = dtype = None
    for b in blocks:
        dtype = b.dtype
        b = b.float()
        if m is None:
            m = torch.full(b.shape[:-1], -torch.inf, device=b.device)
            l = torch.zeros(b.shape[:-1], device=b.device)
        if b.shape[-1] > 0:
            new = torch.maximum(m, b.amax(-1))
            safe = torch.nan_to_num(new, neginf=0.0)
            l = l * torch.exp(m - safe) + torch.exp(b - safe[..., None]).sum(-1)
            m = new
    if m is None:
        raise ValueError("no blocks")
    return m.to(dtype), l.to(dtype)
