import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    base = int(base)
    dt = torch.promote_types(x.dtype, torch.float32)
    e = torch.arange(0, d, 2, device=x.device, dtype=dt) / d
    ang = torch.arange(x.shape[-2], device=x.device, dtype=dt)[:, None] * base**-e
    re, im = x.chunk(2, -1)
    c, s = ang.cos(), ang.sin()
    return torch.cat((re * c - im * s, re * s + im * c), -1).to(x.dtype)
