from math import ceil, floor, log, pi

import torch


def yarn_scaling(head_dim, scale, original_max_len, base=10000.0, beta_fast=32.0, beta_slow=1.0, device=None):
    if head_dim % 2 == 1:
        raise ValueError("odd head_dim")
    if scale < 1:
        raise ValueError("scale below 1")
    half = head_dim / 2
    start = half * (log(original_max_len) - log(2 * pi * beta_fast)) / log(base)
    stop = half * (log(original_max_len) - log(2 * pi * beta_slow)) / log(base)
    start = 0 if start < 0 else floor(start)
    stop = head_dim - 1 if stop > head_dim - 1 else ceil(stop)
    j = torch.arange(head_dim // 2, device=device).double()
    w = torch.pow(torch.tensor(float(base), dtype=torch.float64, device=device), -j / half)
    length = stop - start if stop != start else 0.001
    mixed = w + (j - start) / length * (w / scale - w)
    result = torch.where(j <= start, w, torch.where(j >= start + length, w / scale, mixed))
    return result.to(torch.float32), 0.1 * log(scale) + 1
