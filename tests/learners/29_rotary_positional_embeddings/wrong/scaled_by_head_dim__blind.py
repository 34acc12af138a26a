import math
import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    scale = 1.0 / math.sqrt(d)
    dt = torch.promote_types(x.dtype, torch.float32)
    a, b = x.to(dt).tensor_split(2, dim=-1)
    f = base ** (-torch.arange(0, d, 2, dtype=dt, device=x.device) / d)
    t = torch.arange(x.shape[2], dtype=dt, device=x.device)[:, None] * f
    z = torch.complex(a, b) * torch.complex(t.cos(), t.sin()) * scale
    return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)
