import functools
import math

import torch


@functools.lru_cache(None)
def bounds(d, n, b, fast, slow):
    c = lambda r: d / 2 * (math.log(n) - math.log(2 * math.pi * r)) / math.log(b)
    low, high = max(math.floor(c(fast)), 0), min(math.ceil(c(slow)), d - 1)
    return (low, high) if low != high else (low, high + 0.001)


def yarn_scaling(head_dim, scale, original_max_len, base=10000.0, beta_fast=32.0, beta_slow=1.0, device=None):
    if head_dim % 2 or not scale >= 1:
        raise ValueError(f"{head_dim=} {scale=}")
    low, high = bounds(head_dim, original_max_len, base, beta_fast, beta_slow)
    d = torch.arange(0, head_dim, 2, dtype=torch.float32, device=device)
    keep = ((high - d / 2) / (high - low)).clamp(min=0, max=1)
    theta = base ** (-d / head_dim)
    return keep * theta + (1 - keep) * (theta / scale), 0.1 * math.log(scale) + 1.0
