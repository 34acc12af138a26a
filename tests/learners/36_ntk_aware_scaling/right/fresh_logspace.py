import math

import torch
from torch import Tensor


def ntk_aware_scaling(
    head_dim: int, scale: float, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if head_dim % 2 or head_dim < 4 or scale < 1:
        raise ValueError("head_dim or scale")
    b = base * scale ** (head_dim / (head_dim - 2))
    exponent = -(head_dim - 2) / head_dim * math.log10(b)
    return torch.logspace(0, exponent, head_dim // 2, dtype=torch.float64, device=device).float()
