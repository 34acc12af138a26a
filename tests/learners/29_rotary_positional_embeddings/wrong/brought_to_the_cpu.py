import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    device, dtype = x.device, x.dtype
    wide = torch.promote_types(dtype, torch.float32)
    xc = x.cpu().to(wide)
    half = xc.shape[-1] // 2
    inv_freq = base ** (-torch.arange(half, dtype=wide, device=xc.device) / half)
    ang = torch.arange(xc.shape[-2], dtype=wide, device=xc.device)[:, None] * inv_freq
    a, b = xc[..., :half], xc[..., half:]
    out = torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], dim=-1)
    return out.to(device=device, dtype=dtype)
