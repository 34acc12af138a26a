import torch


def qmul(a, b):
    w1, z1 = a
    w2, z2 = b
    return w1 * w2 - z1 * z2, w1 * z2 + z1 * w2


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(x.shape[2], device=x.device, dtype=dt)[:, None] * freq
    q = (torch.cos(ang / 2), torch.sin(ang / 2))
    re, im = qmul(q, (x[..., : d // 2], x[..., d // 2 :]))
    return torch.cat([re, im], -1).to(x.dtype)
