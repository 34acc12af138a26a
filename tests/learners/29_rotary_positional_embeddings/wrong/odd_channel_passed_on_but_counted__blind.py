import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    h = d // 2
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = torch.tensor([base ** (-2 * i / d) for i in range(h)], device=x.device, dtype=dt)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
    a, b = x[..., :h], x[..., h : 2 * h]
    out = x.clone()
    out[..., :h] = (a * ang.cos() - b * ang.sin()).to(x.dtype)
    out[..., h : 2 * h] = (a * ang.sin() + b * ang.cos()).to(x.dtype)
    return out
