import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    if num_heads <= 0 or len(w_q) % num_heads:
        raise ValueError("heads")
    up = torch.float64 if x.dtype == torch.float64 else torch.float32
    D = len(w_q) // num_heads

    def heads(t, w):
        return torch.einsum("bsi,oi->bso", t.to(up), w.to(up)).view(*t.shape[:2], num_heads, D)

    q, k, v = heads(x, w_q), heads(context, w_k), heads(context, w_v)
    scores = torch.einsum("bihd,bjhd->bhij", q, k) / D ** 0.5
    if context_mask is not None:
        mask = context_mask.to(up)[:, None, None]
        weights = (scores + (1 - mask) * torch.finfo(up).min / 2).softmax(-1) * mask
    else:
        weights = scores.softmax(-1)
    joined = torch.einsum("bhij,bjhd->bihd", weights, v).reshape(*x.shape[:2], num_heads * D)
    return torch.einsum("bsi,oi->bso", joined, w_o.to(up)).to(x.dtype)
