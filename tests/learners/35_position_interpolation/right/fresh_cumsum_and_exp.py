import math

import torch
from torch import Tensor


def position_interpolation(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    *rest, seq, d = x.shape
    if not scale >= 1:
        raise ValueError("scale must be at least 1")
    if d % 2:
        raise ValueError("odd head_dim")
    wide = torch.promote_types(x.dtype, torch.float32)
    n = d // 2
    where = (torch.ones(seq, dtype=torch.float64, device=x.device).cumsum(0) - 1) / scale
    freq = torch.exp(torch.arange(n, dtype=torch.float64, device=x.device) * (-math.log(base) / n))
    turn = torch.exp(1j * where[:, None] * freq)
    z = torch.complex(x[..., :n].to(wide), x[..., n:].to(wide)) * turn.to(torch.complex128 if wide == torch.float64 else torch.complex64)
    return torch.cat([z.real, z.imag], -1).to(x.dtype)
