import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n = x.shape[-2]
    half = x.shape[-1] // 2
    d = 2 * half
    dt = torch.promote_types(x.dtype, torch.float32)
    k = torch.arange(half, device=x.device, dtype=dt)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * base ** (-k / max(half, 1))
    a, b, rest = x[..., :half], x[..., half:d], x[..., d:]
    rotated = torch.cat((a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()), dim=-1).to(x.dtype)
    return torch.cat((rotated, rest), dim=-1)
