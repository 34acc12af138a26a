import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    half = d // 2
    dt = torch.promote_types(x.dtype, torch.float32)
    inv_freq = 1 - (1 - 1 / base) * torch.arange(half, device=x.device, dtype=dt) / half
    ang = torch.arange(x.shape[2], device=x.device, dtype=dt)[:, None] * inv_freq
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], -1).to(x.dtype)
