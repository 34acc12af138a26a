import math

import torch
from torch import Tensor


def ntk_aware_scaling(
    head_dim: int, scale: float, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if head_dim % 2 or head_dim < 4 or scale < 1:
        raise ValueError("head_dim or scale")
    b = math.log(base) + math.log(scale) * head_dim / (head_dim - 2)
    exponent = torch.arange(0, head_dim, 2, device=device, dtype=torch.float32) / head_dim
    return torch.exp(-b * exponent)
