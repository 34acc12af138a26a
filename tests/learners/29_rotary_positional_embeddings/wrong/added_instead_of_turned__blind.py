import torch
import math


def pos_table(n, d, base, device, dtype):
    pe_pos = torch.arange(n, device=device, dtype=dtype).unsqueeze(1)
    div = torch.exp(torch.arange(0, d, 2, device=device, dtype=dtype) * (-math.log(base) / d))
    return torch.cat([torch.sin(pe_pos * div), torch.cos(pe_pos * div)], dim=1)


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    pe = pos_table(n, d, base, x.device, torch.promote_types(x.dtype, torch.float32))
    return (x + pe[None, None, :, :]).to(x.dtype)
