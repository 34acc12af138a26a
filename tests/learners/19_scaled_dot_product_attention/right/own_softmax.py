import torch
from torch import Tensor

def _softmax(x: Tensor, keep: Tensor) -> Tensor:
    """rows over the last axis, only where keep is set"""
    lowest = torch.finfo(x.dtype).min
    x = torch.where(keep, x, lowest)
    peak = x.max(dim=-1, keepdim=True).values.detach() if x.shape[-1] else x.new_zeros(x.shape[:-1] + (1,))
    e = (x - peak).exp() * keep
    s = e.sum(dim=-1, keepdim=True)
    return e / torch.where(s == 0, 1.0, s)

def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    if q.size(-1) != k.size(-1):
        raise ValueError("head_dim differs")
    if k.size(-2) != v.size(-2):
        raise ValueError("number of keys differs")
    t = torch.promote_types(q.dtype, torch.float32)
    c = q.size(-1) ** -0.5 if scale is None else scale
    logits = torch.einsum("bhqd,bhkd->bhqk", q.to(t) * c, k.to(t))
    if mask is None:
        mask = torch.ones(1, 1, 1, k.size(-2), dtype=torch.bool, device=q.device)
    w = _softmax(logits, mask.expand_as(logits))
    return torch.einsum("bhqk,bhkd->bhqd", w, v.to(t)).type_as(q)
