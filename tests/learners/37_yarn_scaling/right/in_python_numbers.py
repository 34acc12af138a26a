import math

import torch


def yarn_scaling(head_dim, scale, original_max_len, base=10000.0, beta_fast=32.0, beta_slow=1.0, device=None):
    if head_dim % 2 or scale < 1:
        raise ValueError((head_dim, scale))
    lo, hi = (
        math.log(original_max_len / (2 * math.pi * beta)) / math.log(base) * head_dim / 2
        for beta in (beta_fast, beta_slow)
    )
    lo, hi = max(0, math.floor(lo)), min(head_dim - 1, math.ceil(hi))
    if hi == lo:
        hi = lo + 1e-3
    out = []
    for j in range(head_dim // 2):
        w = base ** (-2 * j / head_dim)
        t = min(1, max(0, (j - lo) / (hi - lo)))
        out.append(w + (w / scale - w) * t)
    return torch.tensor(out, dtype=torch.float32, device=device), 1 + 0.1 * math.log(scale)
