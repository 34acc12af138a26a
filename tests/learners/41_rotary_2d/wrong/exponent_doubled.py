# x_t for token t = (r, c), explicit quarters
import torch
from torch import Tensor


def rotary_2d(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    n, D = x.shape[-2], x.shape[-1]
    if D % 4 or n != height * width:
        raise ValueError(f"can't rotate {tuple(x.shape)} on a {height}x{width} grid")
    q = D // 4
    wide = torch.promote_types(x.dtype, torch.float32)
    t = torch.arange(n, device=x.device)
    r = torch.div(t, max(width, 1), rounding_mode="floor").to(wide)
    c = torch.remainder(t, max(width, 1)).to(wide)
    w = torch.pow(base, -2 * torch.arange(q, device=x.device, dtype=wide) / q)
    theta, phi = torch.outer(r, w), torch.outer(c, w)
    x1, x2, x3, x4 = x.split(q, dim=-1)
    y1 = x1 * theta.cos() - x2 * theta.sin()
    y2 = x1 * theta.sin() + x2 * theta.cos()
    y3 = x3 * phi.cos() - x4 * phi.sin()
    y4 = x3 * phi.sin() + x4 * phi.cos()
    return torch.cat([y1, y2, y3, y4], dim=-1).to(x.dtype)
