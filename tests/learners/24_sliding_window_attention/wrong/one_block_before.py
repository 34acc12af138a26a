import math

import torch


def sliding_window_attention(q, k, v, window):
    if window < 1:
        raise ValueError("window")
    f = torch.promote_types(q.dtype, torch.float32)
    out = [v[:, :, :0].to(f)]
    for a in range(0, q.shape[2], 64):
        lo = max(0, a - 64)
        qs = q[:, :, a : a + 64].to(f)
        ks, vs = (x[:, :, lo : a + 64].to(f) for x in (k, v))
        i = torch.arange(a, a + qs.shape[2], device=q.device)
        j = torch.arange(lo, lo + ks.shape[2], device=q.device)
        off = i[:, None] - j
        s = (qs @ ks.mT / math.sqrt(q.shape[-1])).masked_fill((off < 0) | (off >= window), -math.inf)
        out.append(s.softmax(-1) @ vs)
    return torch.cat(out, 2).to(q.dtype)
