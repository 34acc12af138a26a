import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    half = x.shape[-1] // 2
    i = torch.arange(half, dtype=torch.float64, device=x.device)
    p = torch.arange(x.shape[2], dtype=torch.float64, device=x.device)
    angle = p.unsqueeze(-1) * base ** (-i / half)
    c, s = angle.cos(), angle.sin()
    first, second = x.split(half, dim=-1)
    return torch.cat((first * c - second * s, first * s + second * c), dim=-1)
