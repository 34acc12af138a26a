import torch


def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = q @ k.mT * scale
    if mask is None:
        mask = torch.ones(s.shape[-2:], dtype=torch.bool, device=s.device)
    s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
    e = torch.exp(s - s.amax(-1, keepdim=True)) * mask
    return e / e.sum(-1, keepdim=True).clamp_min(1e-30) @ v
