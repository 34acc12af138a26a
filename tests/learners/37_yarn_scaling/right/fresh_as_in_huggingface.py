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
    if head_dim % 2 != 0 or scale < 1.0:
        raise ValueError("bad")

    def find_dim(rot: float) -> float:
        return (head_dim * math.log(original_max_len / (rot * 2 * math.pi))) / (2 * math.log(base))

    low = max(math.floor(find_dim(beta_fast)), 0)
    high = float(min(math.ceil(find_dim(beta_slow)), head_dim - 1))
    if low == high:
        high += 0.001
    pos_freqs = base ** (torch.arange(0, head_dim, 2, device=device, dtype=torch.float32) / head_dim)
    extra, inter = 1.0 / pos_freqs, 1.0 / (scale * pos_freqs)
    ramp = torch.clamp((torch.arange(head_dim // 2, dtype=torch.float32, device=device) - low) / (high - low), 0, 1)
    keep = 1 - ramp
    return inter * (1 - keep) + extra * keep, (0.1 * math.log(scale) + 1.0 if scale > 1 else 1.0)
