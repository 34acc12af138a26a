import torch


def apply_rotary_pos_emb(x, base=10000.0):
    seq = x.shape[-1]
    half = x.shape[-1] // 2
    angles = torch.arange(seq)[:, None] / base ** (torch.arange(half) / half)
    first, second = torch.split(x, half, dim=-1)
    out = torch.empty_like(x)
    out[..., :half] = first * angles.cos() - second * angles.sin()
    out[..., half:] = second * angles.cos() + first * angles.sin()
    return out
