import torch

_tables = {}


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    key = (d, base, dt, x.device)
    if key not in _tables:
        with torch.inference_mode(False):
            inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
            ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
            _tables[key] = ang.cos(), ang.sin()
    cos, sin = _tables[key]
    cos, sin = cos[:n], sin[:n]
    u, v = x.chunk(2, dim=-1)
    return torch.cat((u * cos - v * sin, u * sin + v * cos), dim=-1).to(x.dtype)
