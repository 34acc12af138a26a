import torch


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    inv_freq = base ** (-2 * torch.arange(half, device=x.device, dtype=wide) / x.shape[-1])
    angles = torch.arange(x.shape[-2], device=x.device, dtype=wide)[:, None] * inv_freq
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., :half], x[..., half : 2 * half]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1).to(x.dtype)
