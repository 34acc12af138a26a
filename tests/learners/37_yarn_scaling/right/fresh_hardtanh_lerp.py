import math

import torch
import torch.nn.functional as F


def yarn_scaling(
    head_dim: int, scale: float, original_max_len: int, base=10000.0, beta_fast=32.0, beta_slow=1.0, device=None
):
    if head_dim & 1:
        raise ValueError("no odd heads")
    if scale < 1.0:
        raise ValueError("no shrinking")
    number = lambda r: head_dim * math.log(original_max_len / (2 * math.pi * r), base) / 2
    low, high = max(math.floor(number(beta_fast)), 0), min(math.ceil(number(beta_slow)), head_dim - 1)
    high = high + 0.001 if high == low else high
    j = torch.arange(head_dim // 2, dtype=torch.float64, device=device)
    f = torch.float_power(base, -2 * j / head_dim)
    share = F.hardtanh((j - low) / (high - low), 0.0, 1.0)
    return torch.lerp(f, f / scale, share).to(torch.float32), float(0.1 * math.log(scale) + 1)
