import math

import torch
from torch import Tensor


def llama3_scaling(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    original_max_len: int = 8192,
    device: torch.device | str | None = None,
) -> Tensor:
    if head_dim % 2 or low_freq_factor >= high_freq_factor:
        raise ValueError("head_dim or factors")
    j = torch.arange(0, head_dim, 2, device=device, dtype=torch.float64)
    freq = base ** (-j / head_dim)
    rounds = original_max_len * freq / (2 * math.pi)
    t = (rounds - low_freq_factor) / (high_freq_factor - low_freq_factor)
    blend = (1 - t) * freq / scale + t * freq
    out = torch.lerp(freq / scale, freq, t.clamp(0, 1))
    return out.float()
