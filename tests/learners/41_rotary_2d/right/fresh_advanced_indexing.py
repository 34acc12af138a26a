import torch


def rotary_2d(x, height, width, base=10000.0):
    n, D = x.shape[2], x.shape[3]
    if D % 4:
        raise ValueError("head_dim")
    if height * width != n:
        raise ValueError("grid")
    dev, q = x.device, D // 4
    dt = torch.promote_types(x.dtype, torch.float32)
    c = torch.arange(D, device=dev)
    partner = torch.where((c // q) % 2 == 0, c + q, c - q)
    sign = torch.where((c // q) % 2 == 0, -1, 1).to(dt)
    freq = base ** (-(c % q).to(dt) / q)
    t = torch.arange(n, device=dev)[:, None]
    pos = torch.where(c < D // 2, t // max(width, 1), t % max(width, 1)).to(dt)
    ang = pos * freq
    return (x * ang.cos() + x[..., partner] * sign * ang.sin()).to(x.dtype)
