import torch


def rotate_half(x):
    with torch.no_grad():
        a, b = x.chunk(2, dim=-1)
        return torch.cat((-b, a), dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
    ang = torch.cat((ang, ang), dim=-1)
    return (x * ang.cos() + rotate_half(x) * ang.sin()).to(x.dtype)
