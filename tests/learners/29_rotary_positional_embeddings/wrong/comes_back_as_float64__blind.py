import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    pos = torch.arange(n, device=x.device, dtype=torch.float64)
    freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=torch.float64) / d)
    ang = pos.unsqueeze(1) * freq
    a, b = x[..., : d // 2], x[..., d // 2 :]
    c, s = ang.cos(), ang.sin()
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)
