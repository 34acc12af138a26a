import torch
from torch import Tensor


def partial_rotary(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    d = x.shape[-1]
    if rotary_dim < 0 or rotary_dim > d or rotary_dim % 2:
        raise ValueError(f"rotary_dim {rotary_dim} of {d}")
    n = rotary_dim // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    a, b, rest = x.split((n, n, d - rotary_dim), dim=-1)
    j = torch.arange(n, device=x.device, dtype=wide)
    angle = torch.arange(x.shape[-2], device=x.device, dtype=wide)[:, None] * base ** (-j / max(n, 1))
    z = torch.complex(a.to(wide), b.to(wide)) * torch.complex(angle.cos(), angle.sin())
    return torch.cat((z.real.to(x.dtype), z.imag.to(x.dtype), rest), dim=-1)
