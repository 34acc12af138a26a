from functools import lru_cache

import torch


@lru_cache(maxsize=8)
def tables(seq, dim, base, dtype, device):
    # a kept tensor must not be an inference tensor
    with torch.inference_mode(False), torch.no_grad():
        inv_freq = 1.0 / base ** (torch.arange(0, dim, 2, dtype=dtype, device=device) / dim)
        angles = torch.arange(seq, dtype=dtype, device=device)[:, None] * inv_freq
        return angles.cos(), angles.sin()


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    seq, dim = x.shape[-2:]
    if dim % 2:
        raise ValueError("head_dim must be even")
    cos, sin = tables(seq, dim, float(base), torch.promote_types(x.dtype, torch.float32), x.device)
    a, b = x[..., : dim // 2], x[..., dim // 2 :]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)
