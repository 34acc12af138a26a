import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, n, d = x.shape
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
    rows = x.reshape(b, -1, d)
    ang = ang.repeat(h, 1)
    u, v = rows[..., : d // 2], rows[..., d // 2 :]
    rows = torch.cat((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=-1)
    return rows.reshape(x.shape).to(x.dtype)
