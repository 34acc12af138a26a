import torch

device = torch.device("cpu")


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    d = x.shape[-1]
    dt = torch.float64 if x.dtype == torch.float64 else torch.float32
    inv_freq = 1.0 / base ** (torch.arange(0, d, 2, dtype=dt, device=device) / d)
    t = torch.arange(x.shape[-2], dtype=dt, device=device)
    ang = t.unsqueeze(-1) * inv_freq
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)
