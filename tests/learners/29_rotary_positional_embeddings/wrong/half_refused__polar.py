import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    d = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device, dtype=x.dtype) / d))
    angles = torch.arange(x.shape[-2], device=x.device, dtype=x.dtype)[:, None] * inv_freq
    rot = torch.polar(torch.ones_like(angles), angles)
    a, b = x.chunk(2, dim=-1)
    z = torch.complex(a, b) * rot
    return torch.cat([z.real, z.imag], dim=-1)
