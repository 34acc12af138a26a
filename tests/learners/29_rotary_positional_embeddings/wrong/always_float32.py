import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    d = x.shape[-1]
    freqs = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angles = torch.arange(x.shape[-2], dtype=torch.float64, device=x.device)[:, None] * freqs
    emb = torch.cat([angles, angles], dim=-1)
    x1, x2 = x.chunk(2, dim=-1)
    out = x * emb.cos() + torch.cat([-x2, x1], dim=-1) * emb.sin()
    return out.float()
