from functools import lru_cache

import torch


@lru_cache(maxsize=None)
def frequencies(seq, head_dim, base, device):
    inv_freq = base ** (-torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    return torch.stack([inv_freq] * seq) if seq else inv_freq.new_empty(0, head_dim // 2)


def apply_rotary_pos_emb(x, base=10000.0):
    seq, head_dim = x.shape[-2:]
    angles = frequencies(seq, head_dim, base, x.device)
    angles *= torch.arange(seq, device=x.device).float().unsqueeze(1)
    x1, x2 = x.chunk(2, dim=-1)
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)
