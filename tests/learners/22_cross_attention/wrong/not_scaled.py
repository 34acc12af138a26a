import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    width = w_q.shape[0]
    if num_heads < 1 or width % num_heads:
        raise ValueError(f"num_heads={num_heads} does not divide {width}")
    t = torch.promote_types(x.dtype, torch.float32)
    size = width // num_heads
    asking, answering = x.to(t), context.to(t)
    outs = []
    for h in range(num_heads):
        mine = slice(h * size, (h + 1) * size)
        q = asking @ w_q.to(t)[mine].T
        k = answering @ w_k.to(t)[mine].T
        v = answering @ w_v.to(t)[mine].T
        s = torch.einsum("bid,bjd->bij", q, k)
        if context_mask is not None:
            keep = context_mask.unsqueeze(1)
            s = torch.where(keep, s, float("-inf"))
            a = torch.where(keep, s.softmax(-1), 0.0)
        else:
            a = s.softmax(-1)
        outs.append(a @ v)
    return (torch.cat(outs, dim=-1) @ w_o.to(t).T).to(x.dtype)
