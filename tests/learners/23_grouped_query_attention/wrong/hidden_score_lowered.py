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
    if mask is not None:
        s = s + (~mask).to(s.dtype) * -1e4
    return s.softmax(-1) @ v
