import numpy as np
import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    a = x.numpy()
    inv = base ** (-np.arange(0, d, 2) / d)
    ang = np.outer(np.arange(n), inv)
    x1, x2 = np.split(a, 2, axis=-1)
    out = np.concatenate([x1 * np.cos(ang) - x2 * np.sin(ang), x1 * np.sin(ang) + x2 * np.cos(ang)], axis=-1)
    return torch.from_numpy(out).to(x.dtype)
