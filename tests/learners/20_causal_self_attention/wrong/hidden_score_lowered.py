import math

import torch
import torch.nn.functional as F


def causal_self_attention(x, w_q, w_k, w_v, w_o, num_heads):
    b, t, d = x.shape
    hd = d // num_heads
    q, k, v = (F.linear(x, w).view(b, t, num_heads, hd).transpose(1, 2) for w in (w_q, w_k, w_v))
    future = torch.ones(t, t, device=x.device, dtype=x.dtype).triu(1)
    s = q @ k.mT / math.sqrt(hd) + future * -1e4
    return F.linear((s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d), w_o)
