import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n = x.shape[-1] // 2
    inv_freq = base ** (-torch.arange(0, n, 2, dtype=torch.float32) / n)
    angles = torch.outer(torch.arange(x.shape[2], dtype=torch.float32), inv_freq)
    c, s = angles.cos(), angles.sin()
    u, v = x[..., :n], x[..., n:]
    return torch.cat([u * c - v * s, u * s + v * c], -1)
