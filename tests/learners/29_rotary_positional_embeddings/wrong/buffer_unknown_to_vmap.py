import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    b, h, n, d = x.shape
    wide = torch.promote_types(x.dtype, torch.float32)
    inv_freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=wide) / d)
    ang = torch.arange(n, device=x.device, dtype=wide)[:, None] * inv_freq
    cos, sin = ang.cos(), ang.sin()
    out = torch.empty(b, h, n, d, dtype=x.dtype, device=x.device)
    out[..., : d // 2] = x[..., : d // 2] * cos - x[..., d // 2 :] * sin
    out[..., d // 2 :] = x[..., : d // 2] * sin + x[..., d // 2 :] * cos
    return out
