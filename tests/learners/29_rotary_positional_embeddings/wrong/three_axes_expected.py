import torch


def apply_rotary_pos_emb(x, base=10000.0):
    batch, seq, dim = x.shape
    half = dim // 2
    freqs = 1.0 / (base ** (torch.arange(half) / half))
    angles = torch.arange(seq)[:, None] * freqs
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * angles.cos() - x2 * angles.sin(), x2 * angles.cos() + x1 * angles.sin()], dim=-1)
