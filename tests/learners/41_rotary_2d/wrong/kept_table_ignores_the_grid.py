import torch

TABLES = {}


def rotary_2d(x, height, width, base=10000.0):
    s, D = x.shape[-2:]
    if D % 4 or s != height * width:
        raise ValueError("sizes")
    q = D // 4
    wide = torch.promote_types(x.dtype, torch.float32)
    key = (s, D, base, wide, x.device)
    if key not in TABLES:
        with torch.inference_mode(False):
            t = torch.arange(s, device=x.device)
            w = base ** (-torch.arange(q, device=x.device, dtype=wide) / q)
            pos = torch.stack([t // max(width, 1), t % max(width, 1)], -1).to(wide)
            ang = pos[:, :, None] * w
            TABLES[key] = ang.cos(), ang.sin()
    cos, sin = TABLES[key]
    y = x.reshape(*x.shape[:-1], 2, 2, q)
    a, b = y[..., 0, :], y[..., 1, :]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-2).reshape(x.shape).to(x.dtype)
