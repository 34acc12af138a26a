import torch


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


class Rotary:
    def __init__(self, dim, base, scale, dtype, device):
        inv = 1.0 / base ** (torch.arange(0, dim, 2, device=device).to(dtype) / dim)
        self.inv_freq = inv / scale  # "linear" scaling

    def __call__(self, length):
        t = torch.arange(length, device=self.inv_freq.device, dtype=self.inv_freq.dtype)
        angle = torch.einsum("i,j->ij", t.float() if t.dtype != torch.float64 else t, self.inv_freq)
        return torch.cat((angle, angle), dim=-1)


def position_interpolation(x, scale, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("odd head_dim")
    if scale < 1.0:
        raise ValueError("scale below one")
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
    with torch.autocast(x.device.type if x.device.type != "meta" else "cpu", enabled=False):
        angle = Rotary(x.shape[-1], base, scale, dtype, x.device)(x.shape[-2])
    wide = x.to(dtype)
    return (wide * angle.cos() + rotate_half(wide) * angle.sin()).to(x.dtype)
