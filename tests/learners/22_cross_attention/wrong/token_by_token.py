import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    width = w_q.shape[0]
    if num_heads < 1 or width % num_heads:
        raise ValueError("num_heads")
    D, up = width // num_heads, torch.promote_types(x.dtype, torch.float32)
    heads = lambda t, w: (t.to(up) @ w.to(up).T).view(*t.shape[:2], num_heads, D)
    q, k, v = heads(x, w_q), heads(context, w_k), heads(context, w_v)
    rows = []
    for t in range(x.shape[1]):
        score = (q[:, t : t + 1] * k).sum(-1) / D ** 0.5
        if context_mask is None:
            a = score.softmax(1)
        else:
            hide = ~context_mask[:, :, None]
            a = score.masked_fill(hide, -torch.inf).softmax(1).masked_fill(hide, 0)
        rows.append((a[..., None] * v).sum(1).flatten(1))
    y = torch.stack(rows, 1) if rows else x.new_zeros(x.shape[0], 0, width).to(up)
    return (y @ w_o.to(up).T).to(x.dtype)
