import torch


def rotary_2d(x, height, width, base=10000.0):
    *lead, s, D = x.shape
    if D % 4 or s != height * width:
        raise ValueError("bad sizes")
    wide = torch.promote_types(x.dtype, torch.float32)
    q = D // 4
    freq = base ** (-torch.arange(q, dtype=wide, device=x.device) / q)
    r = torch.arange(height, dtype=wide, device=x.device).repeat_interleave(width)
    c = torch.arange(width, dtype=wide, device=x.device).repeat(height)
    ang = torch.cat([r[:, None] * freq, c[:, None] * freq], dim=-1)
    cis = torch.polar(torch.ones_like(ang), ang)
    y = x.to(wide).reshape(*lead, s, 2, 2, q)
    z = torch.complex(y[..., 0, :], y[..., 1, :]).reshape(*lead, s, 2 * q) * cis
    z = z.reshape(*lead, s, 2, q)
    return torch.stack([z.real, z.imag], dim=-2).reshape(x.shape).to(x.dtype)
