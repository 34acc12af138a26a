import math

import torch


def find_range(head_dim, base, fast, slow, max_position_embeddings=2048):
    def dim(rotations):
        return (head_dim * math.log(max_position_embeddings / (rotations * 2 * math.pi))) / (2 * math.log(base))

    return max(math.floor(dim(fast)), 0), min(math.ceil(dim(slow)), head_dim - 1)


def yarn_scaling(head_dim, scale, original_max_len, base=10000.0, beta_fast=32.0, beta_slow=1.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim is odd")
    if scale < 1:
        raise ValueError("scale is below 1")
    low, high = find_range(head_dim, base, beta_fast, beta_slow)
    j = torch.arange(head_dim // 2, dtype=torch.float32, device=device)
    freq = base ** (-2 * j / head_dim)
    share = torch.clamp((j - low) / ((high - low) or 0.001), 0, 1)
    return freq * (1 - share) + freq / scale * share, 1 + 0.1 * math.log(scale)
