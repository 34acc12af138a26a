import math

import torch


def sliding_window_attention(q, k, v, window):
    t = q.shape[-2]
    ones = torch.ones(t, t, dtype=torch.bool, device=q.device)
    m = ones.tril(1) & ones.triu(-window + 1)
    s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~m, float("-inf"))
    return s.softmax(-1) @ v
