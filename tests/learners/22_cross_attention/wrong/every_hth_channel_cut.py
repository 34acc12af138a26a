import torch


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    outs = []
    for h in range(num_heads):
        q = x @ w_q[h::num_heads].T
        k, v = context @ w_k[h::num_heads].T, context @ w_v[h::num_heads].T
        s = q @ k.mT / q.shape[-1] ** 0.5
        w = s.softmax(-1)
        if context_mask is not None:
            m = context_mask[:, None]
            w = s.masked_fill(~m, torch.finfo(s.dtype).min).softmax(-1) * m
        outs.append(w @ v)
    return torch.cat(outs, -1) @ w_o.T
