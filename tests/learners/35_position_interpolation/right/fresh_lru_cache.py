from functools import lru_cache

import torch


@lru_cache(maxsize=8)
def table(n, d, scale, base, dtype, device):
    with torch.inference_mode(False), torch.no_grad():
        j = torch.arange(d // 2, dtype=dtype, device=device)
        speed = base ** (-2 * j / d) * (1 / scale)
        angle = torch.arange(n, dtype=dtype, device=device).reshape(n, 1) * speed.reshape(1, -1)
        return angle.cos(), angle.sin()


def position_interpolation(x, scale, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("odd")
    if scale < 1:
        raise ValueError("less than one")
    cos, sin = table(n, d, float(scale), float(base), torch.promote_types(x.dtype, torch.float32), x.device)
    out = torch.empty_like(x, dtype=torch.promote_types(x.dtype, torch.float32))
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([torch.addcmul(a * cos, b, sin, value=-1), torch.addcmul(b * cos, a, sin)], -1).to(out.dtype).to(x.dtype)
