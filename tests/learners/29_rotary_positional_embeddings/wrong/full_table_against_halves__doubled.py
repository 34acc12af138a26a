import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    freqs = base ** (-torch.arange(0, d, 2, dtype=torch.float32) / d)
    angles = torch.arange(x.shape[-2], dtype=torch.float32)[:, None] * freqs
    emb = torch.cat((angles, angles), dim=-1)
    cos, sin = emb.cos(), emb.sin()
    out = torch.zeros_like(x)
    out[..., : d // 2] = x[..., : d // 2] * cos - x[..., d // 2 :] * sin
    out[..., d // 2 :] = x[..., d // 2 :] * cos + x[..., : d // 2] * sin
    return out
