import math

import torch
import torch.nn.functional as F


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    h = num_heads
    if h < 1 or w_q.size(0) % h:
        raise ValueError("num_heads must divide the width")
    f = torch.promote_types(x.dtype, torch.float32)
    b, kl = context.shape[:2]
    cut = lambda a, w: (
        (a.to(f) @ w.to(f).T).reshape(b, a.shape[1], h, -1 if a.numel() else w.shape[0] // h).transpose(1, 2)
    )
    q, k, v = cut(x, w_q), cut(context, w_k), cut(context, w_v)
    m = torch.ones(b, kl, dtype=torch.bool, device=x.device) if context_mask is None else context_mask
    m = torch.cat([m, ~m.any(1, keepdim=True)], 1)
    k, v = F.pad(k, (0, 0, 0, 1)), F.pad(v, (0, 0, 0, 1))
    s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~m[:, None, None], -math.inf)
    o = (s.softmax(-1) @ v).transpose(1, 2)
    return (o.reshape(b, x.shape[1], w_q.shape[0]) @ w_o.to(f).T).to(x.dtype)
