import torch


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    freqs = base ** (-torch.arange(half).float() / half)
    angles = torch.outer(torch.arange(x.shape[2]).float(), freqs)
    angles = torch.stack([angles, angles], dim=-1)
    return x * torch.cos(angles) + rotate_half(x) * torch.sin(angles)
