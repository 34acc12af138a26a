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
    if head_dim % 2 != 0:
        raise ValueError("odd head_dim")
    if not low_freq_factor < high_freq_factor:
        raise ValueError("factors")
    w = torch.exp(torch.arange(head_dim // 2, dtype=torch.float32, device=device) * (-2 * math.log(base) / head_dim))
    wavelength = 2 * math.pi / w
    fast = (wavelength < original_max_len / high_freq_factor).float()
    slow = (wavelength > original_max_len / low_freq_factor).float()
    mid = 1 - fast - slow
    smooth = (original_max_len / wavelength - low_freq_factor) / (high_freq_factor - low_freq_factor)
    return fast * w + slow * (w / scale) + mid * ((1 - smooth) * w / scale + smooth * w)
