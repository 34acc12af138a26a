import torch


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2).float() / d)
    angles = (torch.arange(x.shape[2])[:, None] * theta).repeat(1, 2)
    angles = angles.reshape(-1, 1, 1, d)
    return x * angles.cos() + rotate_half(x) * angles.sin()
