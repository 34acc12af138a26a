import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    theta = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    cos, sin = theta.cos(), theta.sin()
    x1, x2 = x.split([d // 2, d // 2], dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)
