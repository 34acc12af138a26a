import math

import torch
from torch import Tensor


def apply_rotary_pos_emb(x: Tensor, base: float = 10000.0) -> Tensor:
    B, H, T, D = x.size()
    if D & 1:
        raise ValueError("head_dim is odd")
    dt = torch.float64 if x.dtype == torch.float64 else torch.float32
    theta = torch.exp(torch.arange(0, D, 2, device=x.device, dtype=dt) * -(math.log(base) / D))
    m = torch.arange(T, device=x.device, dtype=dt)
    mt = m.view(T, 1) * theta.view(1, D // 2)
    c, s = mt.cos(), mt.sin()
    lo, hi = x[..., : D // 2].to(dt), x[..., D // 2 :].to(dt)
    return torch.cat((lo * c - hi * s, lo * s + hi * c), -1).to(x.dtype)
