import math
from typing import NamedTuple

import torch


class Yarn(NamedTuple):
    inv_freq: torch.Tensor
    mscale: float


class Bounds:
    def __init__(self, dim, base, length):
        self.dim, self.base, self.length = dim, base, length

    def at(self, turns):
        return (self.dim * math.log(self.length / (turns * 2 * math.pi))) / (2 * math.log(self.base))

    def range(self, fast, slow):
        return max(math.floor(self.at(fast)), 0), min(math.ceil(self.at(slow)), self.dim - 1)


def yarn_scaling(head_dim, scale, original_max_len, base=10000.0, beta_fast=32.0, beta_slow=1.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    if not scale >= 1.0:
        raise ValueError("scale must be >= 1")
    low, high = Bounds(head_dim, base, original_max_len).range(beta_fast, beta_slow)
    if low == high:
        high = high + 0.001
    pos_freqs = base ** (torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim)
    extrapolation, interpolation = 1.0 / pos_freqs, 1.0 / (scale * pos_freqs)
    mask = 1 - ((torch.arange(head_dim // 2, dtype=torch.float32, device=device) - low) / (high - low)).clamp(0, 1)
    return Yarn(interpolation * (1 - mask) + extrapolation * mask, 1.0 if scale <= 1 else 0.1 * math.log(scale) + 1.0)
