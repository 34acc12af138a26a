import math

import torch


def sinusoidal_positional_encoding(seq_len, d_model, base=10000.0, device=None):
    if d_model % 2:
        raise ValueError("odd")
    logarithm = max(math.log(base), 0.0)
    p = torch.arange(seq_len, device=device, dtype=torch.float32)[:, None]
    i = torch.arange(0, d_model, 2, device=device, dtype=torch.float32)
    a = p * torch.exp(-i * logarithm / d_model)
    return torch.stack([a.sin(), a.cos()], -1).flatten(1)
