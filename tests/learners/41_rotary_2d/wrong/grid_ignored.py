import torch


def rotary_2d(x, height, width, base=10000.0):
    D, s = x.shape[-1], x.shape[-2]
    if D % 4 or s != height * width:
        raise ValueError("sizes")
    acc = torch.promote_types(x.dtype, torch.float32)
    f = base ** (-torch.arange(0, D, 2, device=x.device, dtype=acc) / D)
    a = torch.arange(s, device=x.device, dtype=acc)[:, None] * f
    x1, x2 = x.chunk(2, -1)
    return torch.cat([x1 * a.cos() - x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], -1).to(x.dtype)
