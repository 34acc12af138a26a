import torch

def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    if q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]:
        raise ValueError("shapes")
    dt = torch.float64 if q.dtype == torch.float64 else torch.float32
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    full = (*q.shape[:3], k.shape[2])
    rows = []
    for i in range(q.shape[2]):
        s = (q[:, :, i : i + 1].to(dt) * k.to(dt)).sum(-1) * scale
        if mask is not None:
            hide = ~mask.expand(full)[:, :, i]
            s = s.masked_fill(hide, -torch.inf)
        w = s.softmax(-1)
        if mask is not None:
            w = w.masked_fill(hide, 0.0)
        rows.append((w[..., None] * v.to(dt)).sum(2))
    if not rows:
        return q.new_zeros(*q.shape[:3], v.shape[-1])
    return torch.stack(rows, 2).to(q.dtype)
