import torch
from torch import cos, sin


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    inv_freq = base ** (-torch.arange(half, device=x.device).float() / half)
    angles = torch.arange(x.shape[-2], device=x.device).float()[:, None] * inv_freq
    cos, sin = cos(angles), sin(angles)
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1).to(x.dtype)
