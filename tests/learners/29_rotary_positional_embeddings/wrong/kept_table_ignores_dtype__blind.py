import torch

_cache = {}


def cos_sin(n, d, base, x):
    key = (n, d, base, x.device)
    if key not in _cache:
        dt = torch.promote_types(x.dtype, torch.float32)
        with torch.inference_mode(False):
            inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
            ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
            _cache[key] = ang.cos().to(x.dtype), ang.sin().to(x.dtype)
    return _cache[key]


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    c, s = cos_sin(n, d, base, x)
    u, v = x.chunk(2, dim=-1)
    return torch.cat((u * c - v * s, u * s + v * c), dim=-1).to(x.dtype)
