import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    d = x.shape[-1]
    wide = torch.promote_types(x.dtype, torch.float32)
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device) / d))
    t = torch.arange(x.shape[-2], device=x.device, dtype=wide)
    ang = t[:, None] * inv_freq
    x1, x2 = x.to(wide).chunk(2, dim=-1)
    cos, sin = ang.cos(), ang.sin()
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)
