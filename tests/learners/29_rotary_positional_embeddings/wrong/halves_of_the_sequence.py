import torch


def rotate_half(x):
    x1, x2 = torch.tensor_split(x, [x.shape[2] // 2], dim=2)
    return torch.cat((-x2, x1), dim=2)


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2).float() / d)
    angles = torch.outer(torch.arange(x.shape[2]).float(), theta)
    angles = torch.cat([angles, angles], dim=-1)
    return x * angles.cos() + rotate_half(x) * angles.sin()
