import torch

TRAINED = 2048


def position_interpolation(x, scale, base=10000.0):
    if scale < 1 or x.shape[-1] % 2:
        raise ValueError("scale or head_dim")
    if x.shape[-2] <= TRAINED:  # nothing to interpolate
        scale = 1.0
    wide = torch.promote_types(x.dtype, torch.float32)
    freqs = base ** (-torch.arange(0, x.shape[-1], 2, dtype=wide, device=x.device) / x.shape[-1])
    angle = torch.arange(x.shape[-2], dtype=wide, device=x.device)[:, None] / scale * freqs
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1).to(x.dtype)
