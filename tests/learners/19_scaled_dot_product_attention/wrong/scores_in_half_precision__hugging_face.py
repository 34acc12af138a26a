import torch
def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    if q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]: raise ValueError("shape")
    if scale is None: scale = q.shape[-1] ** -0.5
    s = torch.matmul(q, k.transpose(2, 3)) * scale
    if mask is not None: s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, dim=-1, dtype=torch.promote_types(torch.float32, q.dtype))
    if mask is not None: w = w.masked_fill(~mask, 0)
    return torch.matmul(w.to(q.dtype), v)
