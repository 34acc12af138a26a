import torch


def apply_rotary_pos_emb(x, base=10000.0):
    batch, seq, heads, d = x.shape
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(seq, device=x.device, dtype=dt)[:, None] * freq
    ang = torch.cat((ang, ang), dim=-1)[None, :, None, :]
    swapped = torch.cat((-x[..., d // 2 :], x[..., : d // 2]), dim=-1)
    return (x * ang.cos() + swapped * ang.sin()).to(x.dtype)
