import math

import torch


def sliding_window_attention(q, k, v, window):
    t = q.shape[-2]
    rows = [torch.empty_like(q[:, :, :0])]
    for i in range(t):
        ks, vs = k[:, :, i - window + 1 : i + 1], v[:, :, i - window + 1 : i + 1]
        s = q[:, :, i : i + 1] @ ks.mT / math.sqrt(q.shape[-1])
        rows.append(torch.softmax(s, -1) @ vs)
    return torch.cat(rows, 2)
