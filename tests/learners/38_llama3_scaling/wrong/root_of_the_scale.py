import math
import torch


def llama3_scaling(head_dim, base=500000.0, scale=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
                   original_max_len=8192, device=None):
    if head_dim % 2 == 1:
        raise ValueError("head_dim must be even")
    if low_freq_factor >= high_freq_factor:
        raise ValueError("need low < high")
    inv_freq = 1.0 / (base ** (torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim))
    wavelen = 2 * math.pi / inv_freq
    low_wavelen = original_max_len / low_freq_factor
    high_wavelen = original_max_len / high_freq_factor
    scaled = torch.where(wavelen > low_wavelen, inv_freq / scale ** 0.5, inv_freq)
    smooth = (original_max_len / wavelen - low_freq_factor) / (high_freq_factor - low_freq_factor)
    smoothed = (1 - smooth) * inv_freq / scale ** 0.5 + smooth * inv_freq
    medium = ~(wavelen < high_wavelen) & ~(wavelen > low_wavelen)
    return torch.where(medium, smoothed, scaled)
