import torch
from torch import Tensor


def partial_rotary(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    d = x.shape[-1]
    if not 0 <= rotary_dim <= d or rotary_dim % 2:
        raise ValueError("rotary_dim")
    if rotary_dim == 0:
        return x.clone()
    wide = torch.promote_types(x.dtype, torch.float32)
    n = rotary_dim // 2
    c = torch.arange(d, device=x.device)
    pair = c % n
    partner = torch.where(c < n, c + n, torch.where(c < rotary_dim, c - n, c))
    sign = torch.where(c < n, -1.0, 1.0).to(wide)
    ang = torch.arange(x.shape[-2], device=x.device, dtype=wide)[:, None] * base ** (pair.to(wide) * (-2 / rotary_dim))
    w = x.to(wide)
    turned = (w * ang.cos() + w[..., partner] * sign * ang.sin()).to(x.dtype)
    return torch.where(c < rotary_dim, turned, x)
