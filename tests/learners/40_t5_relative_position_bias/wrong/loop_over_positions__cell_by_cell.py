import math
import torch


def bucket(rel, both, nb, far):
    up = 0
    if both:
        nb //= 2
        up = nb if rel > 0 else 0
        n = abs(rel)
    else:
        n = max(0, -rel)
    me = nb // 2
    if n < me:
        return up + n
    return up + min(nb - 1, me + int(math.log(n / me) / math.log(far / me) * (nb - me)))


def t5_relative_position_bias(table, q_len, k_len, bidirectional=True, max_distance=128):
    me = table.shape[0] // (4 if bidirectional else 2)
    if me == 0 or max_distance <= me:
        raise ValueError("impossible")
    b = [[bucket(j - i, bidirectional, table.shape[0], max_distance) for j in range(k_len)] for i in range(k_len - q_len, k_len)]
    b = torch.tensor(b, dtype=torch.int64, device=table.device).reshape(q_len, k_len)
    return table[b].permute(2, 0, 1)[None]
