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
    if head_dim % 2 or scale < 1:
        raise ValueError("head_dim or scale")
    n = head_dim // 2
    j = torch.arange(n, device=device, dtype=torch.float64)
    freq = base ** (-2 * j / head_dim)

    def c(turns: float) -> float:
        return head_dim * math.log(4096 / (turns * 2 * math.pi)) / (2 * math.log(base))

    low = max(math.floor(c(beta_fast)), 0)
    high = min(math.ceil(c(beta_slow)), head_dim - 1)
    if low == high:
        high += 0.001
    share = ((j - low) / (high - low)).clamp(0, 1)
    out = freq * (1 - share) + freq / scale * share
    return out.float(), 0.1 * math.log(scale) + 1.0
