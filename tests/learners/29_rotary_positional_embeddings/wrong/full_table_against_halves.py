import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    freqs = base ** (-torch.arange(d, dtype=torch.float32) / d)
    angles = torch.arange(x.shape[-2], dtype=torch.float32)[:, None] * freqs
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1)
