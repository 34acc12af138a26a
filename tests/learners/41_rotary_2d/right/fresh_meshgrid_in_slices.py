import torch
from torch import Tensor


def rotary_2d(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    d = x.shape[-1]
    if d % 4 != 0 or height * width != x.shape[-2]:
        raise ValueError("no grid")
    wide = torch.promote_types(x.dtype, torch.float32)
    rows, cols = torch.meshgrid(
        torch.arange(height, device=x.device, dtype=wide), torch.arange(width, device=x.device, dtype=wide), indexing="ij"
    )
    f = 1.0 / torch.pow(base, torch.arange(0, d // 2, 2, device=x.device, dtype=wide) / (d / 2))
    out = torch.empty_like(x, dtype=wide)
    for k, where in enumerate((rows, cols)):
        angle = where.reshape(-1, 1) * f
        lo, mid, hi = k * d // 2, k * d // 2 + d // 4, (k + 1) * d // 2
        a, b = x[..., lo:mid].to(wide), x[..., mid:hi].to(wide)
        out[..., lo:mid] = a * torch.cos(angle) - b * torch.sin(angle)
        out[..., mid:hi] = b * torch.cos(angle) + a * torch.sin(angle)
    return out.to(x.dtype)
