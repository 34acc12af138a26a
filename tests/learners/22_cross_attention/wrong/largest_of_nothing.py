import torch
import torch.nn.functional as F


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    h = num_heads
    pairs = ((x, w_q), (context, w_k), (context, w_v))
    q, k, v = (F.linear(a, w).unflatten(-1, (h, w.shape[0] // h)).transpose(1, 2) for a, w in pairs)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if context_mask is None:
        m = torch.ones((), dtype=torch.bool, device=x.device)
    else:
        m = context_mask[:, None, None]
    s = s.masked_fill(~m, torch.finfo(s.dtype).min)
    e = (s - s.amax(-1, keepdim=True)).exp() * m
    w = e / e.sum(-1, keepdim=True).clamp_min(1e-20)
    return F.linear((w @ v).transpose(1, 2).flatten(2), w_o)
