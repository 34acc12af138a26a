import torch


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    i = torch.arange(half, dtype=torch.float32)
    freqs = 1.0 / (base**i / half)
    angles = torch.outer(torch.arange(x.shape[2], dtype=torch.float32), freqs)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * angles.cos() - x2 * angles.sin(), x2 * angles.cos() + x1 * angles.sin()], dim=-1)
