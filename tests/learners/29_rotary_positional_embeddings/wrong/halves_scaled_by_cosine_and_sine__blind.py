import torch
import torch.nn.functional as F


def apply_rotary_pos_emb(x, base=10000.0):
    head_dim = x.shape[-1]
    if head_dim % 2:
        raise ValueError("head_dim must be divisible by 2")
    dt = torch.promote_types(x.dtype, torch.float32)
    freqs = base ** (-torch.arange(0, head_dim, 2, device=x.device, dtype=dt) / head_dim)
    positions = torch.arange(x.shape[-2], device=x.device, dtype=dt)
    angles = positions[:, None] * freqs[None, :]
    emb = torch.cat([angles.cos(), angles.sin()], dim=-1)
    return (x * emb).to(x.dtype)
