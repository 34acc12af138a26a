import torch


def rotary_2d(x, height, width, base=10000.0):
    b, h, s, D = x.shape
    if D % 4 or s != height * width:
        raise ValueError("sizes")
    q = D // 4
    dt = torch.promote_types(x.dtype, torch.float32)
    w = base ** (-torch.arange(q, device=x.device, dtype=dt) / q)
    ar = (torch.arange(height, device=x.device, dtype=dt)[:, None] * w)[:, None]
    ac = (torch.arange(width, device=x.device, dtype=dt)[:, None] * w)[None]
    x1, x2, x3, x4 = x.view(b, h, height, width, D).split(q, dim=-1)
    y = [x1 * ar.cos() - x2 * ar.sin(), x1 * ar.sin() + x2 * ar.cos(), x3 * ac.cos() - x4 * ac.sin(), x3 * ac.sin() + x4 * ac.cos()]
    return torch.cat(y, -1).view(b, h, s, D).to(x.dtype)
