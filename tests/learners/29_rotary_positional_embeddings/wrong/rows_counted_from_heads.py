import torch


def apply_rotary_pos_emb(x, base=10000.0):
    batch, seq, heads, head_dim = x.shape
    half = head_dim // 2
    freqs = 1.0 / (base ** (torch.arange(half, dtype=torch.float32, device=x.device) / half))
    angles = torch.outer(torch.arange(seq, dtype=torch.float32, device=x.device), freqs)
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1)
