import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    even = d - d % 2
    wide = torch.promote_types(x.dtype, torch.float32)
    inv_freq = 1.0 / (base ** (torch.arange(0, even, 2, device=x.device, dtype=wide) / d))
    ang = torch.arange(x.shape[-2], device=x.device, dtype=wide)[:, None] * inv_freq
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x[..., :even].chunk(2, dim=-1)
    out = torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)
    return torch.cat([out, x[..., even:]], dim=-1).to(x.dtype)
