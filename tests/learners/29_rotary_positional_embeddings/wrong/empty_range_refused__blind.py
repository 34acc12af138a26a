import torch


def build_cache(positions, d, base, device, dt):
    length = max(positions) + 1
    inv = base ** (-torch.arange(0, d, 2, device=device, dtype=dt) / d)
    ang = torch.arange(length, device=device, dtype=dt)[:, None] * inv
    return ang.cos(), ang.sin()


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    cos, sin = build_cache(range(n), d, base, x.device, dt)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1).to(x.dtype)
