import torch


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    dt = torch.promote_types(x.dtype, torch.float32)
    inv_freq = 1.0 / base ** (torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    freqs = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv_freq
    emb = torch.cat((freqs, freqs), dim=-1)
    return (x * emb.cos() + rotate_half(x) * emb.sin()).to(x.dtype)
