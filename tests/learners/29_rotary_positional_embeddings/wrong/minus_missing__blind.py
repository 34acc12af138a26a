import torch


def apply_rotary_pos_emb(x, base=10000.0):
    B, H, T, D = x.shape
    if D % 2 == 1:
        raise ValueError('D is odd')
    dt = torch.float32
    if x.dtype == torch.float64:
        dt = torch.float64
    theta = base ** (-torch.arange(0, D, 2, device=x.device, dtype=dt) / D)
    m = torch.arange(T, device=x.device, dtype=dt)
    mt = m[:, None] * theta[None, :]          # T x D/2
    cos = torch.cat((mt.cos(), mt.cos()), 1)
    sin = torch.cat((mt.sin(), mt.sin()), 1)
    swapped = torch.roll(x, D // 2, dims=-1)
    res = x * cos + swapped * sin
    return res.to(x.dtype)
