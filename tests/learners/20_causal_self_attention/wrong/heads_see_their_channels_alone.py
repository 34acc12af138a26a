import torch

def causal_self_attention(x, w_q, w_k, w_v, w_o, num_heads):
    b, s, d = x.shape
    if num_heads < 1 or d % num_heads:
        raise ValueError
    D = d // num_heads
    f = torch.promote_types(x.dtype, torch.float32)
    outs = []
    for h in range(num_heads):
        sl = slice(h * D, (h + 1) * D)
        q, k, v = (x[..., sl].to(f) @ w[sl, sl].to(f).T for w in (w_q, w_k, w_v))
        a = q @ k.mT / D ** 0.5
        a = a.masked_fill(torch.ones(s, s, device=x.device, dtype=torch.bool).triu(1), -torch.inf).softmax(-1)
        outs.append(a @ v)
    return (torch.cat(outs, -1) @ w_o.to(f).T).to(x.dtype)
