import torch


def position_interpolation(x, scale, base=10000):
    if scale < 1 or x.shape[-1] % 2:
        raise ValueError("scale or head_dim")
    wide = torch.promote_types(x.dtype, torch.float32)
    exponent = torch.arange(0, x.shape[-1], 2, dtype=wide, device=x.device) / x.shape[-1]
    places = torch.arange(x.shape[-2], dtype=wide, device=x.device) / scale
    angle = places[:, None] / int(base) ** exponent
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1).to(x.dtype)
