import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    freq = 1.0 / (base ** torch.arange(0, d, 2, dtype=dt, device=x.device) / d)
    ang = torch.arange(x.shape[2], dtype=dt, device=x.device)[:, None] * freq
    ang = torch.cat((ang, ang), dim=-1)
    shifted = torch.cat((-x[..., d // 2 :], x[..., : d // 2]), dim=-1)
    return (x * torch.cos(ang) + shifted * torch.sin(ang)).to(x.dtype)
