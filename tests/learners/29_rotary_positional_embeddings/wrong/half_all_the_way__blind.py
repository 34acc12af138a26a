import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    kw = dict(device=x.device, dtype=x.dtype)
    inv_freq = 1.0 / base ** (torch.arange(0, d, 2, **kw) / d)
    ang = torch.arange(n, **kw)[:, None] * inv_freq
    u, v = x.chunk(2, dim=-1)
    return torch.cat((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=-1)
