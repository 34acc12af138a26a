import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.float32
    i = torch.arange(0, d, 2, device=x.device)
    if x.dtype == torch.float64:
        dt, i = torch.float64, i.double()
    inv_freq = 1.0 / (base ** (i / d))
    t = torch.arange(n, device=x.device, dtype=dt)
    ang = t[:, None] * inv_freq
    u, v = x.chunk(2, dim=-1)
    return torch.cat((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=-1).to(x.dtype)
