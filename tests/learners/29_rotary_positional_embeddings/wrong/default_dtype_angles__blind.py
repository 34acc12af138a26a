import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    i = torch.arange(0, d, 2, device=x.device)
    t = torch.arange(n, device=x.device)
    if x.dtype == torch.float64:
        i = i.double()
    freqs = t[:, None] * base ** (-i / d)
    emb = torch.cat((freqs, freqs), dim=-1)
    a, b = x.chunk(2, dim=-1)
    return (x * emb.cos() + torch.cat((-b, a), dim=-1) * emb.sin()).to(x.dtype)
