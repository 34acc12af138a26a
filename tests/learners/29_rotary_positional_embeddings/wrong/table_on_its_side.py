import torch


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    freqs = 1.0 / (base ** (torch.arange(half).float() / half))
    pos = torch.arange(x.shape[2]).float()
    angles = torch.outer(freqs, pos)
    angles = torch.cat([angles, angles], dim=-1)
    return x * angles.cos() + rotate_half(x) * angles.sin()
