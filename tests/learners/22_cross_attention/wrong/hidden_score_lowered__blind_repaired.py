import math

import torch.nn.functional as F


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    h = num_heads
    pairs = ((x, w_q), (context, w_k), (context, w_v))
    q, k, v = (F.linear(a, w).unflatten(-1, (h, w.shape[0] // h)).transpose(1, 2) for a, w in pairs)
    s = q @ k.mT / math.sqrt(q.shape[-1])
    w = s.softmax(-1)
    if context_mask is not None:
        m = context_mask[:, None, None, :]
        w = (s + (~m).to(s.dtype) * -1e4).softmax(-1) * m.any(-1, keepdim=True)
    return F.linear((w @ v).transpose(1, 2).flatten(2), w_o)
