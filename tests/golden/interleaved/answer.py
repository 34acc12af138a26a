import torch


def apply_rotary_pos_emb(x, base=10000.0):
    batch, heads, seq, head_dim = x.shape
    theta = base ** (-torch.arange(0, head_dim, 2) / head_dim)
    angle = torch.outer(torch.arange(seq), theta)
    cos, sin = angle.cos(), angle.sin()
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
