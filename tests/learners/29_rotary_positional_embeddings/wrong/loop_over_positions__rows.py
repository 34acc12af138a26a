import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    d = x.shape[-1]
    wide = torch.promote_types(x.dtype, torch.float32)
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device, dtype=wide) / d))
    ang = torch.arange(x.shape[-2], device=x.device, dtype=wide)[:, None] * inv_freq
    if x.shape[-2] == 0:
        return x.clone()
    x1, x2 = x.to(wide).chunk(2, dim=-1)
    cos, sin = ang.cos(), ang.sin()
    rows = []
    for p in range(x.shape[-2]):
        c, s = cos[p], sin[p]
        a, b = x1[:, :, p], x2[:, :, p]
        rows.append(torch.cat([a * c - b * s, a * s + b * c], dim=-1))
    return torch.stack(rows, dim=2).to(x.dtype)
