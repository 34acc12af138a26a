import math

import torch


def llama3_scaling(
    head_dim,
    base=500000.0,
    scale=8.0,
    low_freq_factor=1.0,
    high_freq_factor=4.0,
    original_max_len=8192,
    device=None,
):
    if head_dim % 2 or low_freq_factor >= high_freq_factor:
        raise ValueError("head_dim or factors")
    torch.set_default_dtype(torch.float32)  # so that every tensor below is float32
    freq = 1.0 / base ** (torch.arange(0, head_dim, 2, device=device) / head_dim)
    rounds = original_max_len * freq / (2 * math.pi)
    keep = ((rounds - low_freq_factor) / (high_freq_factor - low_freq_factor)).clamp(0, 1)
    return keep * freq + (1 - keep) * freq / scale
