import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    t = torch.arange(n, device=x.device).type_as(x)
    inv = 1.0 / base ** (torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    freqs = t.unsqueeze(-1) * inv
    emb = torch.cat([freqs] * 2, dim=-1)
    a, b = x.chunk(2, dim=-1)
    return (x * emb.cos() + torch.cat((-b, a), dim=-1) * emb.sin()).to(x.dtype)
