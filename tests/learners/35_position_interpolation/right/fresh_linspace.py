import torch
from torch import Tensor


def position_interpolation(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    seq, d = x.shape[-2], x.shape[-1]
    wide = torch.promote_types(x.dtype, torch.float32)
    if scale < 1 or d % 2:
        raise ValueError("scale or head_dim")
    pos = torch.linspace(0, (seq - 1) / scale if seq else 0, seq, dtype=wide, device=x.device)
    inv = base ** (-torch.arange(0, d, 2, dtype=wide, device=x.device) / d)
    a = pos[:, None] * inv
    xw = x.to(wide)
    x1, x2 = xw.chunk(2, -1)
    return torch.cat([x1 * a.cos() - x2 * a.sin(), x1 * a.sin() + x2 * a.cos()], -1).to(x.dtype)
