import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    t = torch.arange(n, device=x.device).clamp(max=65504).half()
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = t[:, None].to(dt) * inv
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()), dim=-1).to(x.dtype)
