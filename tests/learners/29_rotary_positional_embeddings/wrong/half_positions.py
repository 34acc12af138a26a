import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    half = x.shape[-1] // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    freqs = torch.pow(base, -torch.arange(half, device=x.device, dtype=wide) / half)
    positions = torch.arange(x.shape[2], device=x.device, dtype=x.dtype)
    angles = positions[:, None] * freqs[None, :]
    u, v = x[..., :half], x[..., half:]
    c, s = torch.cos(angles), torch.sin(angles)
    return torch.cat([u * c - v * s, v * c + u * s], dim=-1).to(x.dtype)
