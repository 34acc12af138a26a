import math

import torch


def sliding_window_attention(q, k, v, window):
    t = q.shape[-2]
    window = max(window, 1)
    f = torch.promote_types(q.dtype, torch.float32)
    i = torch.arange(t, device=q.device)
    off = i[:, None] - i
    m = (off >= 0) & (off < window)
    s = (q.to(f) @ k.to(f).mT / math.sqrt(q.shape[-1])).masked_fill(~m, float("-inf"))
    return (s.softmax(-1) @ v.to(f)).to(q.dtype)
