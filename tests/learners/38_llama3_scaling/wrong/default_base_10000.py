import torch
from math import pi


def plain(d, base, device):
    pairs = torch.arange(d // 2, dtype=torch.float32, device=device)
    return base ** (-2 * pairs / d)


def llama3_scaling(head_dim: int, base: float = 10000.0, scale: float = 8.0, low_freq_factor: float = 1.0,
                   high_freq_factor: float = 4.0, original_max_len: int = 8192, device=None):
    if head_dim % 2 or not low_freq_factor < high_freq_factor:
        raise ValueError("bad arguments")
    f = plain(head_dim, base, device)
    turns = f * original_max_len / (2 * pi)
    t = (turns - low_freq_factor) / (high_freq_factor - low_freq_factor)
    t = torch.clamp(t, min=0.0, max=1.0)
    out = f / scale + t * (f - f / scale)
    return out
