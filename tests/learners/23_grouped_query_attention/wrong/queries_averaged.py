import math

import torch


def grouped_query_attention(q, k, v, mask=None):
    b, h, t, d = q.shape
    kv = k.shape[1]
    if h % kv:
        raise ValueError("heads")
    g = h // kv
    q = q.reshape(b, kv, g, t, d).mean(2).repeat_interleave(g, 1)
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    s = q @ k.mT / math.sqrt(d)
    w = s.softmax(-1)
    if mask is not None:
        w = s.masked_fill(~mask, torch.finfo(s.dtype).min).softmax(-1).masked_fill(~mask, 0)
    return w @ v
