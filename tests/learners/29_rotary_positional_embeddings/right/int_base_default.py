import torch
from torch import Tensor


def apply_rotary_pos_emb(x: Tensor, base: int = 10_000) -> Tensor:
    """base is an int in my signature; floats work as well."""
    *_, seq, dim = x.shape
    if dim % 2:
        raise ValueError(f"{dim} channels can't be paired")
    acc = torch.promote_types(x.dtype, torch.float32)
    k = torch.arange(0, dim, 2, dtype=acc, device=x.device)
    rates = torch.reciprocal(torch.pow(base, k / dim))
    grid = rates.expand(seq, -1) * torch.arange(seq, dtype=acc, device=x.device).unsqueeze(-1)
    cos = grid.cos().repeat(1, 2)
    sin = grid.sin().repeat(1, 2)
    left, right = x.split(dim // 2, dim=-1)
    return (x * cos + torch.cat([right.neg(), left], dim=-1) * sin).to(x.dtype)
