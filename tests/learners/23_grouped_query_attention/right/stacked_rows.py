import torch


def grouped_query_attention(q, k, v, mask=None):
    b, h, t, d = q.shape
    kv, s_len = k.shape[1], k.shape[2]
    if h % kv:
        raise ValueError("heads % kv_heads != 0")
    f, g = torch.promote_types(q.dtype, torch.float32), h // kv
    rows = q.to(f).reshape(b, kv, g * t, d)
    scores = (rows @ k.to(f).transpose(2, 3) * d**-0.5).reshape(b, h, t, s_len)
    see = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
    top = scores.masked_fill(~see, torch.finfo(f).min)
    if s_len:
        top = top - top.amax(-1, keepdim=True).detach()
    e = top.exp() * see
    z = e.sum(-1, keepdim=True)
    w = e / (z + (z == 0))
    return (w.reshape(b, kv, g * t, s_len) @ v.to(f)).reshape(b, h, t, d).to(q.dtype)
