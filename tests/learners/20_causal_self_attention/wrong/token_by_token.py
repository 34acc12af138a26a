import torch

def causal_self_attention(x, w_q, w_k, w_v, w_o, num_heads):
    b, s, d = x.shape
    if num_heads < 1 or d % num_heads:
        raise ValueError("heads")
    D = d // num_heads
    dt = torch.float64 if x.dtype == torch.float64 else torch.float32
    xs = x.to(dt)
    heads = lambda w: (xs @ w.to(dt).T).reshape(b, s, num_heads, D)
    q, k, v = heads(w_q), heads(w_k), heads(w_v)
    rows = []
    for t in range(s):
        scores = torch.einsum("bhd,bjhd->bhj", q[:, t], k[:, : t + 1]) / D ** 0.5
        rows.append(torch.einsum("bhj,bjhd->bhd", scores.softmax(-1), v[:, : t + 1]).reshape(b, d))
    out = torch.stack(rows, 1) if rows else xs
    return (out @ w_o.to(dt).T).to(x.dtype)
