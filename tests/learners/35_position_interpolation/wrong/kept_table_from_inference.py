import torch

_tables = {}


def position_interpolation(x, scale, base=10000.0):
    b, h, s, d = x.shape
    if d % 2 or scale < 1:
        raise ValueError("bad sizes")
    key = (s, d, scale, base, x.dtype, x.device)
    if key not in _tables:
        if True:
            wide = torch.promote_types(x.dtype, torch.float32)
            inv = base ** (torch.arange(0, d, 2, dtype=wide, device=x.device) / -d)
            angle = torch.arange(s, dtype=wide, device=x.device).div(scale).unsqueeze(1) * inv
            _tables[key] = angle.cos(), angle.sin()
    cos, sin = _tables[key]
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).type_as(x)
