import torch


def position_interpolation(x, scale, base=10000.0):
    b, h, s, d = x.shape
    if d % 2 != 0:
        raise ValueError("head_dim has to be even")
    if scale < 1:
        raise ValueError("scale has to be at least 1")
    kind = torch.float64 if x.dtype == torch.float64 else torch.float32
    inv = 1.0 / (base ** (torch.arange(d, dtype=kind, device=x.device) / d))
    t = torch.arange(s, dtype=kind, device=x.device) / scale
    freqs = torch.outer(t, inv)
    cos, sin = torch.cos(freqs), torch.sin(freqs)
    x1 = x[..., : d // 2]
    x2 = x[..., d // 2 :]
    out = x * cos + torch.cat((-x2, x1), dim=-1) * sin
    return out.to(x.dtype)
