import math
import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    scale = math.log10(base)
    omega = torch.exp(-2 * torch.arange(d // 2, device=x.device, dtype=dt) * scale / d)
    theta = torch.arange(x.shape[-2], device=x.device, dtype=dt)[:, None] * omega[None, :]
    cos, sin = theta.cos(), theta.sin()
    out = torch.empty_like(x)
    lo, hi = x[..., : d // 2], x[..., d // 2 :]
    out[..., : d // 2] = lo * cos - hi * sin
    out[..., d // 2 :] = lo * sin + hi * cos
    return out
