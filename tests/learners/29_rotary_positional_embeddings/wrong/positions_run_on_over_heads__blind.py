import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, n, d = x.shape
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    flat = x.reshape(b, h * n, d)
    freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(h * n, device=x.device, dtype=dt)[:, None] * freq
    u, v = flat[..., : d // 2], flat[..., d // 2 :]
    out = torch.cat((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=-1)
    return out.reshape(b, h, n, d).to(x.dtype)
