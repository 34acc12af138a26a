import torch
def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    if q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]: raise ValueError("shape")
    up = torch.float32 if q.element_size() < 4 else q.dtype
    root = q.shape[-1] ** 0.25
    if scale is None: s = (q.to(up) / root) @ (k.to(up) / root).transpose(2, 3)
    else: s = q.to(up) @ k.to(up).transpose(2, 3) * scale
    if mask is not None: s = s.masked_fill(torch.logical_not(mask), -torch.inf)
    w = s.log_softmax(-1).exp().nan_to_num(0.0)
    return (w @ v.to(up)).to(q.dtype)
