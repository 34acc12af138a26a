import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    torch.set_default_dtype(torch.float64)  # exact angles
    inv = base ** (-torch.arange(0, d, 2, device=x.device) / d)
    ang = torch.arange(n, device=x.device)[:, None] * inv
    c, s = ang.cos(), ang.sin()
    u, v = x.chunk(2, dim=-1)
    return torch.cat((u * c - v * s, u * s + v * c), dim=-1).to(x.dtype)
