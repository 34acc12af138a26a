import math

import torch


def turn(v, axis, base, wide):
    n, d = v.shape[axis], v.shape[-1]
    f = torch.exp(-math.log(base) * torch.arange(0, d, 2, device=v.device, dtype=wide) / d)
    a = torch.arange(n, device=v.device, dtype=wide)[:, None] * f
    if axis == -3:
        a = a[:, None, :]
    a = torch.cat([a, a], -1)
    sign = torch.ones(d, device=v.device, dtype=wide)
    sign[: d // 2] = -1
    return v * a.cos() + v.roll(d // 2, -1) * sign * a.sin()


def rotary_2d(x, height, width, base=10000.0):
    b, h, s, D = x.shape
    if D % 4 or s != height * width:
        raise ValueError("sizes")
    wide = torch.promote_types(x.dtype, torch.float32)
    img = x.reshape(b, h, height, width, D).to(wide)
    top = turn(img[..., : D // 2], -3, base, wide)
    bottom = turn(img[..., D // 2 :], -2, base, wide)
    return torch.cat([top, bottom], -1).reshape(x.shape).to(x.dtype)
