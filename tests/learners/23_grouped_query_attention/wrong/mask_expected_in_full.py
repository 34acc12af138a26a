import math

import torch


def grouped_query_attention(q, k, v, mask=None):
    b, h, t, d = q.shape
    kv = k.shape[1]
    if h % kv:
        raise ValueError("heads")
    g = h // kv
    qg = q.reshape(b, kv, g, t, d)
    s = torch.einsum("bkgqd,bksd->bkgqs", qg, k) / math.sqrt(d)
    w = s.softmax(-1)
    if mask is not None:
        m = mask.reshape(b, kv, g, t, k.shape[2])
        w = s.masked_fill(~m, torch.finfo(s.dtype).min).softmax(-1).masked_fill(~m, 0)
    return torch.einsum("bkgqs,bksd->bkgqd", w, v).reshape(b, h, t, d)
