import math

import torch


def grouped_query_attention(q, k, v, mask=None):
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    s = q @ k.mT / math.sqrt(q.shape[-1])
    m = torch.ones_like(s, dtype=torch.bool) if mask is None else mask.expand_as(s)
    s = s.masked_fill(~m, torch.finfo(s.dtype).min)
    if s.numel():
        s = s - s.max()
    e = s.exp() * m
    z = e.sum(-1, keepdim=True)
    return e / torch.where(z > 0, z, 1.0) @ v
