import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    h = d // 2
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
    cos, sin = ang.cos(), ang.sin()
    a = x[..., :h]
    b = x[..., h:]
    a[:] = a * cos - b * sin
    b2 = a * sin + b * cos
    return torch.cat((a, b2.to(x.dtype)), dim=-1)
