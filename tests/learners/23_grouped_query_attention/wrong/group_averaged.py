import torch

def grouped_query_attention(q, k, v, mask=None):
    b, h, n, d = q.shape
    kv, m = k.size(1), k.size(2)
    if kv < 1 or h % kv:
        raise ValueError("h % kv != 0")
    g = h // kv
    t = torch.promote_types(q.dtype, torch.float32)
    qs = q.to(t).reshape(b, kv, g, n, d)
    ks, vs = k.to(t).unsqueeze(2), v.to(t).unsqueeze(2)
    s = (qs @ ks.mT) * d ** -0.5
    if mask is not None:
        keep = mask.expand(b, h, n, m).reshape(b, kv, g, n, m)
        s = s.masked_fill(keep.logical_not(), -torch.inf)
    p = s.softmax(-1)
    if mask is not None:
        p = torch.where(keep, p, 0.0)
    o = (p @ vs).mean(2)
    return o.to(q.dtype)
