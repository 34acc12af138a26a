import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv_freq = 1.0 / base ** (torch.arange(0, d, 2, device=x.device) // d).to(dt)
    ang = torch.arange(x.shape[2], dtype=dt, device=x.device)[:, None] * inv_freq
    a, b = x[..., : d // 2], x[..., d // 2 :]
    c, s = ang.cos(), ang.sin()
    return torch.cat((a * c - b * s, a * s + b * c), -1).to(x.dtype)
