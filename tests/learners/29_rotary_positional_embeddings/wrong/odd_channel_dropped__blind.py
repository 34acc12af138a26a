import torch


def apply_rotary_pos_emb(x, base=10000.0):
    x = x[..., : x.shape[-1] // 2 * 2]
    n, d = x.shape[-2:]
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / max(d, 1))
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()), dim=-1).to(x.dtype)
