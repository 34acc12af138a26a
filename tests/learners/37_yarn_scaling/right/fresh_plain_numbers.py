import math

import torch
from torch import Tensor


def yarn_scaling(
    head_dim: int,
    scale: float,
    original_max_len: int,
    base: float = 10000.0,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
    device: torch.device | str | None = None,
) -> tuple[Tensor, float]:
    if head_dim % 2 == 1:
        raise ValueError("odd head_dim")
    if scale < 1:
        raise ValueError("scale below 1")
    edge = [head_dim / 2 * math.log(original_max_len / 2 / math.pi / r, base) for r in (beta_fast, beta_slow)]
    low, high = max(0, math.floor(edge[0])), min(head_dim - 1, math.ceil(edge[1]))
    width = (high - low) or 0.001
    freqs = []
    for j in range(head_dim // 2):
        f = base ** (-2 * j / head_dim)
        share = min(max((j - low) / width, 0.0), 1.0)
        freqs.append(f + (f / scale - f) * share)
    return torch.tensor(freqs, dtype=torch.float32, device=device), 1 + math.log(scale) / 10
