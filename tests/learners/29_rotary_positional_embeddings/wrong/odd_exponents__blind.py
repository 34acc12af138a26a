import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    i = torch.arange(d, device=x.device, dtype=dt)[1::2]
    freq = torch.exp(-torch.log(torch.full_like(i, base)) * i / d)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * freq
    ang = torch.cat((ang, ang), dim=-1)
    rot = torch.cat((-x[..., d // 2 :], x[..., : d // 2]), dim=-1)
    return (x * ang.cos() + rot * ang.sin()).to(x.dtype)
