import torch


def partial_rotary(x, rotary_dim, base=10000.0):
    b, h, s, d = x.shape
    r = rotary_dim
    if r % 2 != 0:
        raise ValueError("rotary_dim has to be even")
    if r < 0:
        raise ValueError("rotary_dim is negative")
    if r > d:
        raise ValueError("rotary_dim is larger than head_dim")
    if r == 0:
        return x.clone()
    kind = torch.float64 if x.dtype == torch.float64 else torch.float32
    inv = 1.0 / (base ** (torch.arange(0, r, 2, dtype=kind, device=x.device) / r))
    t = torch.arange(s, dtype=kind, device=x.device)
    freqs = t[:, None] * inv
    cos, sin = torch.cos(freqs), torch.sin(freqs)
    sin = -sin
    x1 = x[..., : r // 2]
    x2 = x[..., r // 2 : r]
    rest = x[..., r:]
    out = torch.cat((x1 * cos - x2 * sin, x2 * cos + x1 * sin, rest), dim=-1)
    return out.to(x.dtype)
