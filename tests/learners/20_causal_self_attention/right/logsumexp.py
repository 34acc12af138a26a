import torch
def causal_self_attention(x, w_q, w_k, w_v, w_o, num_heads):
    b, s, d = x.shape
    if num_heads < 1 or d % num_heads: raise ValueError
    D = d // num_heads
    up = torch.promote_types(x.dtype, torch.float32)
    q, k, v = ((x.to(up) @ w.to(up).T).unflatten(2, (num_heads, D)) for w in (w_q, w_k, w_v))
    a = torch.einsum("bihd,bjhd->bhij", q, k) * D ** -0.5
    i = torch.arange(s, device=x.device)
    a = a.masked_fill(i > i[:, None], torch.finfo(up).min)
    w = torch.exp(a - torch.logsumexp(a, -1, keepdim=True))
    return (torch.einsum("bhij,bjhd->bihd", w, v).flatten(2) @ w_o.to(up).T).to(x.dtype)
