import torch
def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    if num_heads < 1 or w_q.shape[0] % num_heads: raise ValueError("heads")
    up = torch.promote_types(x.dtype, torch.float32)
    by = lambda w: w.to(up).reshape(num_heads, w.shape[0] // num_heads, w.shape[1])
    q = torch.einsum("bqi,hei->bhqe", x.to(up), by(w_q)) * (w_q.shape[0] // num_heads) ** -0.5
    k, v = (torch.einsum("bki,hei->bhke", context.to(up), by(w)) for w in (w_k, w_v))
    s = torch.einsum("bhqe,bhke->bhqk", q, k)
    if context_mask is not None:
        keep = context_mask[:, None, None]
        w = torch.softmax(torch.where(keep, s, -1e30), -1).where(keep, torch.zeros((), dtype=up, device=x.device))
    else: w = torch.softmax(s, -1)
    wo = w_o.to(up).unflatten(1, (num_heads, -1))
    return torch.einsum("bhqk,bhke,ohe->bqo", w, v, wo).to(x.dtype)
