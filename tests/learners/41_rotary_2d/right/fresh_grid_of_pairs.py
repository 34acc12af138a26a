import torch
from torch import Tensor


def rotary_2d(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    b, h, n, d = x.shape
    if d % 4 or n != height * width:
        raise ValueError("sizes")
    wide = torch.promote_types(x.dtype, torch.float32)
    grid = x.to(wide).reshape(b, h, height, width, 2, 2, d // 4)
    freq = base ** (-torch.arange(d // 4, device=x.device, dtype=wide) * 4 / d)
    rows = torch.arange(height, device=x.device, dtype=wide)[:, None, None] * freq
    cols = torch.arange(width, device=x.device, dtype=wide)[None, :, None] * freq
    full = (height, width, d // 4)
    angle = torch.stack([rows.expand(full), cols.expand(full)], dim=2).unsqueeze(3)
    swapped = torch.stack([-grid[..., 1, :], grid[..., 0, :]], dim=-2)
    return (grid * angle.cos() + swapped * angle.sin()).reshape(b, h, n, d).to(x.dtype)
