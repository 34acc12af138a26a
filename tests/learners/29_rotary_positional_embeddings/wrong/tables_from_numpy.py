import numpy as np
import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    d = x.shape[-1]
    wide = torch.promote_types(x.dtype, torch.float32)
    f = base ** (-np.arange(0, d, 2) / d)
    ang = torch.from_numpy(np.outer(np.arange(x.shape[-2]), f)).to(wide)
    x1, x2 = x.to(wide).chunk(2, dim=-1)
    cos, sin = ang.cos(), ang.sin()
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)
