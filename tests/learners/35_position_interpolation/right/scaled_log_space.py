import math

import torch

position_interpolation = lambda x, scale, base=10000.0: _turn(*_checked(x, scale), base)


def _checked(x, scale):
    if x.size(-1) & 1:
        raise ValueError("no partner for the last channel")
    if not scale >= 1:
        raise ValueError("scale")
    return x, scale


def _turn(x, scale, base):
    n = x.size(-1) // 2
    w = torch.float64 if x.dtype is torch.float64 else torch.float32
    j = torch.arange(n, dtype=w, device=x.device)
    p = torch.arange(x.size(-2), dtype=w, device=x.device)
    angle = p.unsqueeze(-1) * torch.exp(-math.log(base) / n * j - math.log(scale))
    z = torch.complex(x[..., :n].to(w), x[..., n:].to(w)) * torch.exp(1j * angle)
    return torch.cat((z.real, z.imag), -1).to(x.dtype)
