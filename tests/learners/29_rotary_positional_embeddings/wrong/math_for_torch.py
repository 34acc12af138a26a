import math

import torch


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    freqs = torch.tensor([base ** (-i / half) for i in range(half)])
    angles = torch.arange(x.shape[2])[:, None] * freqs
    cos, sin = math.cos(angles), math.sin(angles)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1)
