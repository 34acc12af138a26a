import torch
from math import log


def t5_relative_position_bias(table: torch.Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128):
    n_rows, heads = table.shape
    side = n_rows // 2 if bidirectional else n_rows
    half = side // 2
    if half < 1:
        raise ValueError(f"{n_rows} buckets are too few")
    if max_distance <= half:
        raise ValueError(f"max_distance must be more than {half}")
    dev = table.device
    pos = torch.arange(k_len - q_len, k_len, device=dev)
    offset = torch.arange(k_len, device=dev).unsqueeze(0) - pos.unsqueeze(1)
    past = (-offset).clamp(min=0)
    dist = torch.maximum(past, offset) if bidirectional else past
    scale = (side - half) / log(max_distance / half)
    steps = torch.floor(torch.log(dist.clamp(min=1).float() / half) * scale).long()
    b = torch.where(dist >= half, (half + steps).clamp(max=side - 1), dist)
    if bidirectional:
        b = torch.where(offset > 0, b + side, b)
    flat = table.index_select(0, b.reshape(-1))
    return flat.t().reshape(1, heads, q_len, k_len)
