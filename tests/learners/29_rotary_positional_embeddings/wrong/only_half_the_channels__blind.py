import torch


def rope(x, base):
    d = x.shape[-1]
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, dtype=dt, device=x.device) / d)
    ang = torch.arange(x.shape[-2], dtype=dt, device=x.device)[:, None] * inv
    a, b = x[..., : inv.shape[0]], x[..., inv.shape[0] :]
    c, s = ang.cos(), ang.sin()
    return torch.cat([a * c - b * s, b * c + a * s], dim=-1).to(x.dtype)


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    rotary_dim = x.shape[-1] // 2
    rotary_dim -= rotary_dim % 2
    x_rot, x_pass = x[..., :rotary_dim], x[..., rotary_dim:]
    return torch.cat([rope(x_rot, base), x_pass], dim=-1)
