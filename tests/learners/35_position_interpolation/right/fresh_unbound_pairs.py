import torch


def position_interpolation(x, scale, base=10000.0):
    b, h, n, d = x.shape
    if d % 2:
        raise ValueError("odd head_dim")
    if not (scale >= 1):
        raise ValueError("scale >= 1")
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    y = x.to(wide).reshape(b, h, n, 2, d // 2)
    angle = torch.arange(n, dtype=wide, device=x.device).unsqueeze(-1).div(scale) / torch.pow(
        torch.tensor(base, dtype=wide, device=x.device), torch.arange(d // 2, dtype=wide, device=x.device).mul(2).div(d)
    )
    u, v = y.unbind(-2)
    return torch.stack((u * angle.cos() - v * angle.sin(), u * angle.sin() + v * angle.cos()), -2).reshape(b, h, n, d).to(x.dtype)
