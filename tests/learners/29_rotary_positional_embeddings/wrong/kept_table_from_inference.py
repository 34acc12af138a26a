from functools import lru_cache

import torch


@lru_cache(maxsize=32)
def cos_sin(seq, head_dim, base, dtype, device):
    inv_freq = base ** (-torch.arange(0, head_dim, 2, dtype=dtype, device=device) / head_dim)
    angles = torch.arange(seq, dtype=dtype, device=device)[:, None] * inv_freq
    return angles.cos(), angles.sin()


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    wide = torch.promote_types(x.dtype, torch.float32)
    cos, sin = cos_sin(x.shape[-2], x.shape[-1], base, wide, x.device)
    a, b = x.to(wide).chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1).to(x.dtype)
