import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    half = d // 2
    if d % 2:
        raise ValueError("odd head_dim")
    dt = torch.promote_types(x.dtype, torch.float32)
    pos = torch.arange(x.shape[-2], dtype=dt, device=x.device)
    y = x.to(dt)
    out = y.clone()
    for i in range(half // 2):
        angle = pos * base ** (-2 * i / d)
        c, s = torch.cos(angle), torch.sin(angle)
        out[..., i] = y[..., i] * c - y[..., i + half] * s
        out[..., i + half] = y[..., i] * s + y[..., i + half] * c
    return out.to(x.dtype)
