import torch
def _split(t, w, h, up):
    y = torch.nn.functional.linear(t.to(up), w.to(up))
    b, n, d = y.shape
    return y.view(b, n, h, d // h).transpose(1, 2).reshape(b * h, n, d // h)
def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    if num_heads < 1 or w_q.shape[0] % num_heads: raise ValueError("heads")
    up = torch.promote_types(x.dtype, torch.float32)
    q, k, v = _split(x, w_q, num_heads, up), _split(context, w_k, num_heads, up), _split(context, w_v, num_heads, up)
    s = torch.bmm(q, k.mT) / q.shape[-1] ** 0.5
    if context_mask is not None:
        hide = ~context_mask.repeat_interleave(num_heads, 0)[:, None]
        s = s.masked_fill(hide, -torch.inf)
    a = s.softmax(-1)
    if context_mask is not None: a = a.masked_fill(hide, 0)
    o = torch.bmm(a, v)
    o = o.view(x.shape[0], num_heads, x.shape[1], q.shape[-1]).transpose(1, 2).reshape(x.shape[0], x.shape[1], w_q.shape[0])
    return torch.nn.functional.linear(o, w_o.to(up)).to(x.dtype)
