import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    half = d // 2
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, dtype=dt, device=x.device) / half))
    ang = torch.arange(x.shape[2], dtype=dt, device=x.device).view(-1, 1) * inv_freq.view(1, -1)
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)
