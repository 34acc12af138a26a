import torch


def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    s = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = torch.exp(s - s.amax(-1, keepdim=True)) if s.numel() else s
    if mask is not None:
        e = e * mask
    z = e.sum(-1, keepdim=True)
    return e / torch.where(z > 0, z, 1.0) @ v
