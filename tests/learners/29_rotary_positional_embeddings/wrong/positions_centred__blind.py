import torch


def positions(n, like, dt):
    p = torch.arange(n, device=like.device, dtype=dt)
    return p - n // 2


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    a = positions(x.shape[-2], x, dt)[:, None] * freq
    a = torch.cat((a, a), dim=1)
    h = d // 2
    return (x * a.cos() + torch.cat((-x[..., h:], x[..., :h]), dim=-1) * a.sin()).to(x.dtype)
