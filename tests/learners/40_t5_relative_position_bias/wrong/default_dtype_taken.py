import math
import torch


def bucket_of(rel, bidirectional, num_buckets, max_distance):
    ret = torch.zeros_like(rel)
    if bidirectional:
        num_buckets = num_buckets // 2
        ret = ret + (rel > 0).long() * num_buckets
        n = rel.abs()
    else:
        n = torch.clamp(-rel, min=0)
    max_exact = num_buckets // 2
    if max_exact == 0 or max_distance <= max_exact:
        raise ValueError("cannot make buckets")
    log_part = torch.log(n / max_exact) / math.log(max_distance / max_exact)
    large = max_exact + (log_part * (num_buckets - max_exact)).long()
    large = torch.clamp(large, max=num_buckets - 1)
    return ret + torch.where(n < max_exact, n, large)


def t5_relative_position_bias(table, q_len, k_len, bidirectional=True, max_distance=128):
    num_buckets = table.shape[0]
    q = torch.arange(q_len, device=table.device)[:, None] + (k_len - q_len)
    k = torch.arange(k_len, device=table.device)[None, :]
    buckets = bucket_of(k - q, bidirectional, num_buckets, max_distance)
    values = table[buckets]
    return values.permute(2, 0, 1).unsqueeze(0)
