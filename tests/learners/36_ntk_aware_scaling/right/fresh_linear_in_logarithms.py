import math

import torch


def ntk_aware_scaling(head_dim, scale, base=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or scale < 1:
        raise ValueError(f"head_dim {head_dim}, scale {scale}")
    last = math.log(base) * (2 - head_dim) / head_dim - math.log(scale)
    return torch.linspace(0.0, last, head_dim // 2, dtype=torch.float32, device=device).exp()
