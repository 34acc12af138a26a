import torch


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    freqs = 1.0 / (base ** (torch.arange(half).float() / half))
    angles = torch.arange(x.shape[2]).float()[:, None] * freqs
    cos = angles.cos()[None, None]
    sin = angles.sin()[None, None]
    return x * cos + rotate_half(x) * sin
