import math

import torch


def yarn_scaling(head_dim, scale, original_max_len, base=10000.0, beta_fast=32.0, beta_slow=1.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim")
    if scale < 1:
        raise ValueError("scale")
    per_pair = 2 * math.log(base) / head_dim
    low = max(int((math.log(original_max_len / beta_fast / 2 / math.pi)) // per_pair), 0)
    high = min(-int(-math.log(original_max_len / beta_slow / 2 / math.pi) // per_pair), head_dim - 1)
    steps = max(high - low, 0.001)
    share = torch.arange(-low, head_dim // 2 - low, dtype=torch.float32, device=device).div(steps).clip(0.0, 1.0)
    speed = torch.arange(head_dim // 2, dtype=torch.float32, device=device).mul(-per_pair).exp()
    return speed * (1 + share * (1 / scale - 1)), math.log(scale) * 0.1 + 1
