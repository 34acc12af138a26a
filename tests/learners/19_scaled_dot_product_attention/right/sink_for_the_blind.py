import torch
import torch.nn.functional as F


def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    if q.size(-1) != k.size(-1) or k.size(-2) != v.size(-2):
        raise ValueError("q/k/v sizes disagree")
    wide = torch.promote_types(q.dtype, torch.float32)
    s = torch.matmul(q.to(wide), k.to(wide).mT) * (q.size(-1) ** -0.5 if scale is None else scale)
    vis = torch.ones_like(s, dtype=torch.bool) if mask is None else mask.expand_as(s)
    # one more key, of value 0, which only those see that see nothing else
    blind = ~vis.any(-1, keepdim=True)
    vis = torch.cat([vis, blind], -1)
    s = F.pad(s, (0, 1)).masked_fill(~vis, float("-inf"))
    v = F.pad(v.to(wide), (0, 0, 0, 1))
    return (s.softmax(-1) @ v).to(q.dtype)
