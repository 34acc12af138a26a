import math

import torch


def yarn_scaling(head_dim, scale, original_max_len, base=10000.0, beta_fast=32.0, beta_slow=1.0, device=None):
    if head_dim % 2 != 0:
        raise ValueError("head_dim has to be even")
    if scale < 1:
        raise ValueError("scale has to be at least 1")

    def find_dim(rotations):
        return head_dim * math.log(original_max_len / rotations) / (2 * math.log(base))

    low = max(math.floor(find_dim(beta_fast)), 0)
    high = min(math.ceil(find_dim(beta_slow)), head_dim - 1)
    if low == high:
        high += 0.001
    exponent = torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim
    fast = 1.0 / base**exponent
    slow = fast / scale
    idx = torch.arange(head_dim // 2, dtype=torch.float32, device=device)
    ramp = torch.clamp((idx - low) / (high - low), 0, 1)
    inv_freq = fast * (1 - ramp) + slow * ramp
    factor = 0.1 * math.log(scale) + 1.0
    return inv_freq, factor
