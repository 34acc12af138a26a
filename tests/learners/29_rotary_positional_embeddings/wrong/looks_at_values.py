import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    if not torch.isfinite(x).all():
        raise ValueError("x has inf or nan in it")
    d = x.shape[-1]
    wide = torch.promote_types(x.dtype, torch.float32)
    inv_freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=wide) / d)
    ang = torch.arange(x.shape[-2], device=x.device, dtype=wide)[:, None] * inv_freq
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * ang.cos() - x2 * ang.sin(), x1 * ang.sin() + x2 * ang.cos()], dim=-1).to(x.dtype)
