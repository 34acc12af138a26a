import math

import torch
from torch import Tensor


def apply_rotary_pos_emb(x: Tensor, base: float = 10000.0) -> Tensor:
    batch, heads, seq_len, head_dim = x.shape
    if head_dim % 2:
        raise ValueError(f"head_dim must be even, not {head_dim}")
    half = head_dim // 2
    dtype = torch.promote_types(x.dtype, torch.float32)
    idx = torch.arange(half, device=x.device, dtype=dtype)
    theta = torch.exp(-math.log(base) * idx / half)
    pos = torch.arange(seq_len, device=x.device, dtype=dtype)
    angle = pos.unsqueeze(-1) * theta
    cos, sin = torch.cos(angle), torch.sin(angle)
    a, b = x.half().chunk(2, dim=-1)
    out_a = a * cos - b * sin
    out_b = a * sin + b * cos
    return torch.cat([out_a, out_b], dim=-1).type_as(x)
