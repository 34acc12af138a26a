import math

import torch


def sliding_window_attention(q, k, v, window):
    t = q.shape[-2]
    causal = torch.ones(t, t, dtype=torch.bool, device=q.device).tril()
    s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~causal, float("-inf"))
    return s.softmax(-1).triu(1 - window) @ v
