import math

import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    half = x.shape[-1] // 2
    kwargs = {"dtype": x.dtype, "device": x.device}
    inv_freq = torch.exp(-math.log(base) * torch.arange(half, **kwargs) / half)
    angles = torch.arange(x.shape[-2], **kwargs).unsqueeze(-1) * inv_freq
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., :half], x[..., half:]
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)
