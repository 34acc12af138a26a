import torch

_tables = {}

def table(n, d, base, dtype, device):
    key = (d, float(base), dtype, device)
    have = _tables.get(key)
    if have is None or have[0].shape[0] < n:
        with torch.inference_mode(False), torch.no_grad():
            f = base ** (-torch.arange(0, d, 2, dtype=dtype, device=device) / d)
            a = torch.arange(max(n, 32), dtype=dtype, device=device)[:, None] * f
            have = _tables[key] = (a.cos(), a.sin())
    return have

def rotary_kv_offset(x, start_pos=0, base=10000.0):
    s, d = x.shape[-2], x.shape[-1]
    if d % 2 or start_pos < 0:
        raise ValueError
    cos, sin = table(start_pos + s, d, base, torch.promote_types(x.dtype, torch.float32), x.device)
    c, n = cos[start_pos : start_pos + s], sin[start_pos : start_pos + s]
    a, b = x.chunk(2, -1)
    return torch.cat([a * c - b * n, a * n + b * c], -1).to(x.dtype)
