import math

import torch


def grouped_query_attention(q, k, v, mask=None):
    b, h, t, d = q.shape
    kv = k.shape[1]
    if h % kv:
        raise ValueError("heads")
    g = h // kv
    f = torch.promote_types(q.dtype, torch.float32)
    kk, vv = k.to(f).repeat_interleave(g, 1), v.to(f).repeat_interleave(g, 1)
    s = q.to(f) @ kk.mT / math.sqrt(d)
    w = s.softmax(-1)
    if mask is not None:
        w = (s + -1e4 * ~mask).softmax(-1) * mask.any(-1, keepdim=True)
    return (w @ vv).to(q.dtype)
