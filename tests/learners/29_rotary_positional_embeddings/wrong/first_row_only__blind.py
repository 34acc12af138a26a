import torch


def turn(v, ang):
    a, b = v.chunk(2, -1)
    c, s = ang.cos(), ang.sin()
    return torch.cat([a * c - b * s, a * s + b * c], -1).to(v.dtype)


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.size(-1)
    if d % 2:
        raise ValueError("d % 2 != 0")
    dt = torch.promote_types(x.dtype, torch.float32)
    freq = base ** (-torch.arange(0, d, 2, dtype=dt, device=x.device) / d)
    ang = torch.arange(x.size(-2), dtype=dt, device=x.device)[:, None] * freq
    if x.size(0) == 0:
        return x.clone()
    rotated = turn(x[0], ang).unsqueeze(0)
    return torch.cat([rotated, x[1:]], dim=0)
