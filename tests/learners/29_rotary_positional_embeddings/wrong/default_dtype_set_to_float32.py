import torch


def angles_for(x, base):
    torch.set_default_dtype(torch.promote_types(torch.float32, x.dtype) if x.dtype == torch.float64 else torch.float32)
    half = x.shape[-1] // 2
    inv_freq = base ** (torch.arange(half, device=x.device) / -half)
    angles = torch.arange(x.shape[-2], device=x.device)[:, None] * inv_freq
    torch.set_default_dtype(torch.float32)
    return angles


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim {x.shape[-1]} can't be split into pairs")
    half = x.shape[-1] // 2
    angles = angles_for(x, base)
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)
