import math

import torch
from torch import Tensor


def t5_relative_position_bias(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    num_buckets = table.size(0)
    nb = num_buckets // 2 if bidirectional else num_buckets
    me = nb // 2
    if me < 1 or not max_distance > me:
        raise ValueError(f"{num_buckets} buckets, max_distance {max_distance}")
    dev = table.device
    lo = -max(k_len, q_len) - q_len
    offsets = torch.arange(lo, k_len + q_len + 1, device=dev)
    n = offsets.abs() if bidirectional else (-offsets).clamp(min=0)
    log = torch.log2(n.clamp(min=me).to(torch.float64)) - math.log2(me)
    far = (me + log * ((nb - me) / math.log2(max_distance / me)) + 1e-9).long().clamp(max=nb - 1)
    bucket = torch.where(n < me, n, far)
    if bidirectional:
        bucket = torch.where(offsets > 0, bucket + nb, bucket)
    by_offset = table.t()[:, bucket]
    rel = torch.arange(k_len, device=dev) - torch.arange(k_len - q_len, k_len, device=dev).unsqueeze(1)
    return by_offset[:, rel - lo].unsqueeze(0)
