import torch

def _attend(q, k, v, mask, scale):
    x = torch.float64 if q.dtype is torch.float64 else torch.float32
    s = (k.to(x) @ q.to(x).mT).mT * scale
    s = s if mask is None else torch.where(mask, s, -torch.inf)
    p = s.softmax(-1)
    p = p if mask is None else torch.where(mask, p, torch.zeros_like(p))
    return (p @ v.to(x)).to(q.dtype)

def _check(q, k, v):
    if q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]:
        raise ValueError(f"{q.shape}, {k.shape}, {v.shape}")

scaled_dot_product_attention = lambda q, k, v, mask=None, scale=None: (
    _check(q, k, v),
    _attend(q, k, v, mask, q.shape[-1] ** -0.5 if scale is None else scale),
)[1]
