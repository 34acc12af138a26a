import torch

_TABLES = {}


def _cos_sin(x, base):
    n, d = x.shape[-2:]
    key = (n, d, base, x.device)
    if key not in _TABLES:
        with torch.inference_mode(False):
            wide = torch.promote_types(x.dtype, torch.float32)
            f = base ** (-torch.arange(0, d, 2, dtype=wide, device=x.device) / d)
            a = torch.arange(n, dtype=wide, device=x.device)[:, None] * f
            _TABLES[key] = a.cos().to(x.dtype), a.sin().to(x.dtype)
    return _TABLES[key]


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    cos, sin = _cos_sin(x, base)
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)
