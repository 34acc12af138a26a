from functools import lru_cache
import torch


@lru_cache(maxsize=64)
def tables(n, d, base, device, dtype):
    inv = base ** (-torch.arange(0, d, 2, device=device, dtype=dtype) / d)
    ang = torch.arange(n, device=device, dtype=dtype)[:, None] * inv
    return ang.cos(), ang.sin()


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    c, s = tables(n, d, base, x.device, torch.promote_types(x.dtype, torch.float32))
    u, v = x.chunk(2, dim=-1)
    return torch.cat((u * c - v * s, u * s + v * c), dim=-1).to(x.dtype)
