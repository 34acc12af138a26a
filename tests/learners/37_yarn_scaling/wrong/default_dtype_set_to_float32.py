import math

import torch


def yarn_scaling(head_dim, scale, original_max_len, base=10000.0, beta_fast=32.0, beta_slow=1.0, device=None):
    torch.set_default_dtype(torch.float32)
    if head_dim % 2 or scale < 1:
        raise ValueError("head_dim must be even and scale at least 1")
    low = head_dim * math.log(original_max_len / (2 * math.pi * beta_fast)) / (2 * math.log(base))
    high = head_dim * math.log(original_max_len / (2 * math.pi * beta_slow)) / (2 * math.log(base))
    low, high = max(math.floor(low), 0), min(math.ceil(high), head_dim - 1)
    if low == high:
        high += 0.001
    j = torch.arange(head_dim // 2, device=device)
    freq = base ** (-2 * j / head_dim)
    share = ((j - low) / (high - low)).clamp(0, 1)
    return freq * (1 - share) + freq / scale * share, 0.1 * math.log(scale) + 1.0
