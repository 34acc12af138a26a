import torch


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    inv_freq = 1.0 / base ** (torch.arange(0, half, 2) / half)
    angles = torch.arange(x.shape[2]).unsqueeze(1) * inv_freq.unsqueeze(0)
    angles = torch.cat((angles, angles), dim=1)
    return x * angles.cos() + rotate_half(x) * angles.sin()
