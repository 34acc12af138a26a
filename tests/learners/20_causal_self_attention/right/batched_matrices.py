import torch
def causal_self_attention(x, w_q, w_k, w_v, w_o, num_heads):
    b, s, d = x.shape
    if num_heads <= 0 or d % num_heads: raise ValueError("bad heads")
    D = d // num_heads
    up = torch.promote_types(x.dtype, torch.float32)
    X = x.to(up)
    def h(w): return (X @ w.to(up).t()).reshape(b, s, num_heads, D).permute(0, 2, 1, 3).reshape(b * num_heads, s, D)
    q, k, v = h(w_q), h(w_k), h(w_v)
    a = torch.bmm(q, k.transpose(1, 2)).div_(D ** 0.5)
    m = torch.tril(torch.ones_like(a, dtype=torch.bool))
    a = torch.where(m, a, a.new_tensor(float("-inf")))
    o = torch.bmm(torch.softmax(a, 2), v)
    o = o.reshape(b, num_heads, s, D).permute(0, 2, 1, 3).reshape(b, s, d)
    return (o @ w_o.to(up).t()).to(x.dtype)
