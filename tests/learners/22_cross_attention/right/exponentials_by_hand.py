import torch
def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    if num_heads < 1 or w_q.shape[0] % num_heads: raise ValueError("heads")
    up = torch.promote_types(x.dtype, torch.float32)
    size = w_q.shape[0] // num_heads
    q = (x.to(up) @ w_q.to(up).T).unflatten(2, (num_heads, size))
    k = (context.to(up) @ w_k.to(up).T).unflatten(2, (num_heads, size))
    v = (context.to(up) @ w_v.to(up).T).unflatten(2, (num_heads, size))
    s = torch.einsum("bqhe,bkhe->bqhk", q, k) / size ** 0.5
    if context_mask is not None: s = s.masked_fill(~context_mask[:, None, None], -torch.inf)
    top = torch.cat([s, s.new_full((*s.shape[:-1], 1), -1e30)], -1).amax(-1, keepdim=True).detach()
    e = (s - top).exp()
    o = torch.einsum("bqhk,bkhe->bqhe", e, v) / e.sum(-1, keepdim=True).clamp_min(1e-30)
    return (o.flatten(2) @ w_o.to(up).T).to(x.dtype)
