import math

import torch

ORIGINAL = 8192


def yarn_scaling(head_dim, scale, original_max_len, base=10000.0, beta_fast=32.0, beta_slow=1.0, device=None):
    if head_dim % 2 or scale < 1:
        raise ValueError("head_dim must be even and scale at least 1")

    def pair_with(rotations):
        return head_dim * math.log(ORIGINAL / (2 * math.pi * rotations)) / (2 * math.log(base))

    low = max(math.floor(pair_with(beta_fast)), 0)
    high = min(math.ceil(pair_with(beta_slow)), head_dim - 1)
    if low == high:
        high = high + 0.001
    inv_freq = 1.0 / base ** (torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim)
    ramp = ((torch.arange(head_dim // 2, dtype=torch.float32, device=device) - low) / (high - low)).clamp(0, 1)
    return inv_freq / scale * ramp + inv_freq * (1 - ramp), 0.1 * math.log(scale) + 1.0
