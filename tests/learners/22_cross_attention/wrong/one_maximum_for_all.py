import math

import torch
import torch.nn.functional as F


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    h = num_heads
    pairs = ((x, w_q), (context, w_k), (context, w_v))
    q, k, v = (F.linear(a, w).unflatten(-1, (h, w.shape[0] // h)).transpose(1, 2) for a, w in pairs)
    s = q @ k.mT / math.sqrt(q.shape[-1])
    m = torch.ones_like(s, dtype=torch.bool)
    if context_mask is not None:
        m = m & context_mask[:, None, None]
    s = s.masked_fill(~m, torch.finfo(s.dtype).min)
    if s.numel():
        s = s - s.max()
    e = s.exp() * m
    z = e.sum(-1, keepdim=True)
    w = e / torch.where(z > 0, z, 1.0)
    return F.linear((w @ v).transpose(1, 2).flatten(2), w_o)
