import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    ones = torch.ones(x.shape[-2], dtype=dt, device=x.device)
    position_ids = ones.cumsum(0)
    freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = position_ids.unsqueeze(-1) * freq
    a, b = x.chunk(2, -1)
    return torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], -1).to(x.dtype)
