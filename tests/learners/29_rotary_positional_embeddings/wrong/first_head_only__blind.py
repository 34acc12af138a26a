import torch


def apply_rotary_pos_emb(x, base=10000.0):
    B, H, S, D = x.shape
    if D % 2:
        raise ValueError("D must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    freq = base ** (-torch.arange(0, D, 2, dtype=dt, device=x.device) / D)
    ang = torch.arange(S, dtype=dt, device=x.device)[:, None] * freq
    ang = torch.cat([ang, ang], -1)
    head = x[:, 0].to(dt)
    part = torch.cat([-head[..., D // 2 :], head[..., : D // 2]], -1)
    head = head * ang.cos() + part * ang.sin()
    res = x.clone()
    res[:, 0] = head.to(x.dtype)
    return res
