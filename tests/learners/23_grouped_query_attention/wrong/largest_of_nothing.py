import math

import torch


def grouped_query_attention(q, k, v, mask=None):
    b, h, t, d = q.shape
    kv = k.shape[1]
    if h % kv:
        raise ValueError("heads")
    g = h // kv
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    s = q @ k.mT / math.sqrt(d)
    see = torch.ones_like(s, dtype=torch.bool) if mask is None else mask.expand_as(s)
    s = s.masked_fill(~see, torch.finfo(s.dtype).min)
    e = (s - s.max(-1, keepdim=True).values).exp() * see
    return e / e.sum(-1, keepdim=True).clamp_min(1e-30) @ v
