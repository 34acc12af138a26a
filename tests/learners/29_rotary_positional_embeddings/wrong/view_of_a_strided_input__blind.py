import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, n, d = x.shape
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    pairs = x.view(b * h * n, 2, d // 2).view(b, h, n, 2, d // 2)
    u, v = pairs[:, :, :, 0], pairs[:, :, :, 1]
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
    out = torch.stack((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=3)
    return out.view(b, h, n, d).to(x.dtype)
