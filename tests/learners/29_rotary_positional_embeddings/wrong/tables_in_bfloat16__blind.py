import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=torch.float64) / d)
    ang = torch.arange(n, device=x.device, dtype=torch.float64)[:, None] * inv
    emb = torch.cat((ang, ang), dim=-1)
    cos, sin = emb.cos().bfloat16(), emb.sin().bfloat16()
    a, b = x.chunk(2, dim=-1)
    return (x * cos + torch.cat((-b, a), dim=-1) * sin).to(x.dtype)
