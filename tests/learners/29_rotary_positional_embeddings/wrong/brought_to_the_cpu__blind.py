import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    home = x.device
    y = x.cpu()
    inv = base ** (-torch.arange(0, d, 2, dtype=dt, device=y.device) / d)
    ang = torch.arange(n, dtype=dt, device=y.device)[:, None] * inv
    u, v = y.chunk(2, dim=-1)
    y = torch.cat((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=-1)
    return y.to(home, x.dtype)
