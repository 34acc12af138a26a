import torch

_tables = {}


def partial_rotary(x, rotary_dim, base=10000.0):
    s, d = x.shape[-2:]
    if rotary_dim % 2 or not 0 <= rotary_dim <= d:
        raise ValueError("bad rotary_dim")
    key = (s, rotary_dim, base, x.dtype, x.device)
    if key not in _tables:
        with torch.inference_mode(False):
            wide = torch.promote_types(x.dtype, torch.float32)
            pairs = torch.arange(rotary_dim // 2, dtype=wide, device=x.device)
            angle = torch.arange(s, dtype=wide, device=x.device).unsqueeze(1) * base ** (-2 * pairs / (rotary_dim or 1))
            _tables[key] = angle.cos(), angle.sin()
    cos, sin = _tables[key]
    half = rotary_dim // 2
    a, b, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
    return torch.cat([a * cos - b * sin, a * sin + b * cos, rest], dim=-1).type_as(x)
