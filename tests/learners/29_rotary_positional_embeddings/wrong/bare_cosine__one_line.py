import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    theta = 1.0 / (base ** (torch.arange(0, d, 2) / d))
    angles = torch.arange(x.shape[-2])[:, None] * theta
    even, odd = x[..., 0::2], x[..., 1::2]
    return even * cos(angles) - odd * sin(angles)  # noqa: F821
