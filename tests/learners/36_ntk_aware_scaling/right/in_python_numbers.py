import math

import torch


def ntk_aware_scaling(head_dim, scale, base=10000.0, device=None):
    if head_dim % 2 == 1 or head_dim < 4:
        raise ValueError("head_dim")
    if not scale >= 1.0:
        raise ValueError("scale")
    step = math.log(base) / head_dim + math.log(scale) / (head_dim - 2)
    return torch.tensor([math.exp(-2 * j * step) for j in range(head_dim // 2)], dtype=torch.float32, device=device)
