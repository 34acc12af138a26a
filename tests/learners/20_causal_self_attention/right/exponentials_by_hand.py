# numerator and denominator as masked matmuls
import torch
def causal_self_attention(x, w_q, w_k, w_v, w_o, num_heads):
    b, s, d = x.shape
    if num_heads < 1 or d % num_heads: raise ValueError(num_heads)
    D = d // num_heads
    up = torch.float64 if x.dtype == torch.float64 else torch.float32
    split = lambda w: torch.matmul(x.to(up), w.to(up).T).view(b, s, num_heads, D).transpose(1, 2)
    q, k, v = map(split, (w_q, w_k, w_v))
    a = q @ k.transpose(-1, -2) / D ** 0.5
    keep = torch.ones(s, s, dtype=torch.bool, device=x.device).tril()
    a = a.masked_fill(~keep, -torch.inf)
    top = a.cummax(-1).values[..., -1:].detach() if s else a[..., :0]
    e = (a - top).exp() if s else a
    out = (e @ v) / e.sum(-1, keepdim=True)
    return (out.transpose(1, 2).reshape(b, s, d) @ w_o.to(up).T).to(x.dtype)
