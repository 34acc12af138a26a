import math

import torch
from torch import Tensor


def t5_relative_position_bias(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    num_buckets = 32
    nb = num_buckets // 2 if bidirectional else num_buckets
    me = nb // 2
    if me < 1 or max_distance <= me:
        raise ValueError("no bucket can be told")
    p = torch.arange(q_len, device=table.device)[:, None] + (k_len - q_len)
    rel = torch.arange(k_len, device=table.device)[None, :] - p
    bucket = torch.zeros_like(rel)
    if bidirectional:
        bucket = bucket + (rel > 0).long() * nb
        n = rel.abs()
    else:
        n = (-rel).clamp(min=0)
    ratio = torch.log(n.clamp(min=1).double() / me) / math.log(max_distance / me)
    far = me + (ratio * (nb - me) + 1e-9).floor().long()
    far = far.clamp(max=nb - 1)
    bucket = bucket + torch.where(n < me, n, far)
    return table[bucket].permute(2, 0, 1).unsqueeze(0)
