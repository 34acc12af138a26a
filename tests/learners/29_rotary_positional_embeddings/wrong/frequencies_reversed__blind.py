import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    half = d // 2
    k = torch.arange(half - 1, -1, -1, dtype=dt, device=x.device)
    inv = 1 / base ** (2 * k / d)
    ang = torch.arange(x.shape[2], dtype=dt, device=x.device)[:, None] * inv
    pair = x.unflatten(-1, (2, half)).to(dt)
    a, b = pair.unbind(-2)
    out = torch.stack([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], dim=-2)
    return out.flatten(-2).to(x.dtype)
