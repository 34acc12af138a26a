import torch
from torch import Tensor


def rotate_half(x: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    return torch.cat((x[..., half:], -x[..., :half]), dim=-1)


def apply_rotary_pos_emb(x: Tensor, base: float = 10000.0) -> Tensor:
    seq, head_dim = x.shape[-2:]
    if head_dim % 2:
        raise ValueError(f"head_dim must be even, not {head_dim}")
    wide = torch.promote_types(x.dtype, torch.float32)
    inv_freq = base ** -(torch.arange(0, head_dim, 2, dtype=wide, device=x.device) / head_dim)
    angles = torch.arange(seq, dtype=wide, device=x.device)[:, None] * inv_freq
    angles = angles.repeat(1, 2)
    return (x * angles.cos() + rotate_half(x) * angles.sin()).to(x.dtype)
