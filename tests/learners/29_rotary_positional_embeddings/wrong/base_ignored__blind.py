import torch


def inv_freqs(dim, device, dtype, theta=10000.0):
    return theta ** (-torch.arange(0, dim, 2, device=device, dtype=dtype) / dim)


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    f = inv_freqs(d, x.device, dt)
    ang = torch.arange(x.shape[2], device=x.device, dtype=dt)[:, None] * f
    emb = torch.cat((ang, ang), dim=-1)
    return (x * emb.cos() + torch.cat((-x[..., d // 2 :], x[..., : d // 2]), dim=-1) * emb.sin()).to(x.dtype)
