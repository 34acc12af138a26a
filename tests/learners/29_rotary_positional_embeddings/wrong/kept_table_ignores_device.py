import torch

_cache = {}


def _tables(seq, d, base, dtype, device):
    key = (seq, d, base, dtype)
    if key not in _cache:
        with torch.inference_mode(False):
            inv_freq = 1.0 / base ** (torch.arange(0, d, 2, dtype=dtype, device=device) / d)
            ang = torch.arange(seq, dtype=dtype, device=device)[:, None] * inv_freq
            _cache[key] = ang.cos(), ang.sin()
    return _cache[key]


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    wide = torch.promote_types(x.dtype, torch.float32)
    cos, sin = _tables(x.shape[-2], x.shape[-1], base, wide, x.device)
    x1, x2 = x.to(wide).chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)
