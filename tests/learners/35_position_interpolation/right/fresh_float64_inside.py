import torch


def position_interpolation(x, scale, base=10000.0):
    if x.shape[-1] % 2 or scale < 1:
        raise ValueError(f"can't rotate {tuple(x.shape)} with scale {scale}")
    half = x.shape[-1] // 2
    theta = torch.logspace(0, -1, half + 1, base=base, dtype=torch.float64, device=x.device)[:half]
    p = torch.linspace(0, max(x.shape[-2] - 1, 0) / scale, x.shape[-2], dtype=torch.float64, device=x.device)
    angle = p.outer(theta)
    xd = x.double()
    left, right = xd.tensor_split(2, dim=-1)
    turned = torch.cat([left, right], -1) * angle.cos().tile(1, 2) + torch.cat([-right, left], -1) * angle.sin().tile(1, 2)
    return turned.to(x.dtype)
