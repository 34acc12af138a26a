import math

import torch
from torch import Tensor


def t5_relative_position_bias(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    nb = table.shape[0] // (2 if bidirectional else 1)
    me = nb // 2
    if me == 0 or max_distance <= me:
        raise ValueError("buckets")
    rel = torch.arange(k_len, device=table.device) - torch.arange(k_len - q_len, k_len, device=table.device)[:, None]
    n = rel.abs() if bidirectional else torch.relu(-rel)
    starts = [d for d in range(1, me)]
    for b in range(me, nb):
        exact = me * (max_distance / me) ** ((b - me) / (nb - me))
        starts.append(math.ceil(exact - 1e-6))
    starts = [s for s in starts]
    if me == nb:
        starts = starts[: nb - 1]
    bucket = sum(((n >= s).long() for s in starts), torch.zeros_like(n))
    if bidirectional:
        bucket = bucket + nb * (rel > 0)
    return table[bucket].movedim(-1, 0)[None]
