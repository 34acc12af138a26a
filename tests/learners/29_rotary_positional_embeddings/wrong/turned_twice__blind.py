import torch


def step(x, base):
    d = x.shape[-1]
    freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=x.dtype) / d)
    ang = torch.arange(x.shape[-2], device=x.device, dtype=x.dtype)[:, None] * freq
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    y = x.to(torch.promote_types(x.dtype, torch.float32))
    y = step(y, base)
    return step(y, base).to(x.dtype)
