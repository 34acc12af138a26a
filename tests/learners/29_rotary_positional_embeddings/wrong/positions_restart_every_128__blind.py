import torch

BLOCK = 128


def rope(x, base):
    n, d = x.shape[-2:]
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
    a, b = x.chunk(2, -1)
    return torch.cat((a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()), -1).to(x.dtype)


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    return torch.cat([rope(block, base) for block in x.split(BLOCK, dim=2)], dim=2)
