import torch
from torch import Tensor


def rotary_2d(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    d = x.shape[-1]
    if d % 4 or x.shape[-2] != height * width:
        raise ValueError("head_dim or number of tokens")
    wide = torch.promote_types(x.dtype, torch.float32)
    q = d // 4
    freq = int(base) ** (-2 * torch.arange(q, device=x.device, dtype=wide) / (d // 2))
    row = torch.arange(height, device=x.device, dtype=wide).repeat_interleave(width)
    col = torch.arange(width, device=x.device, dtype=wide).repeat(height)
    r, c = row[:, None] * freq, col[:, None] * freq
    xw = x.to(wide)
    x1, x2, y1, y2 = xw[..., :q], xw[..., q : 2 * q], xw[..., 2 * q : 3 * q], xw[..., 3 * q :]
    first = [x1 * r.cos() - x2 * r.sin(), x1 * r.sin() + x2 * r.cos()]
    last = [y1 * c.cos() - y2 * c.sin(), y1 * c.sin() + y2 * c.cos()]
    return torch.cat(first + last, -1).to(x.dtype)
