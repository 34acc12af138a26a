import torch
import torch.nn.functional as F


def linear_attention(q, k, v, causal=True, eps=1e-6):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    if not causal:
        return q @ (k.mT @ v) / ((q * k.sum(2, keepdim=True)).sum(-1, keepdim=True) + eps)
    c, outs, state = 64, [v[:, :, :0]], 0
    for a in range(0, q.shape[2], c):
        qs, ks, vs = (x[:, :, a : a + c] for x in (q, k, v))
        w = (qs @ ks.mT).tril()
        num = w @ vs
        if a:
            num = num + qs @ state
        outs.append(num / (w.sum(-1, keepdim=True) + eps))
        state = state + ks.mT @ vs
    return torch.cat(outs, 2)
