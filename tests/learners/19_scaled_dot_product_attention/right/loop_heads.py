import torch
def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    if q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]: raise ValueError("shape")
    dt = q.dtype
    if dt in (torch.half, torch.bfloat16): q, k, v = q.float(), k.float(), v.float()
    if scale is None: scale = 1 / q.shape[-1] ** 0.5
    out = q.new_empty(*q.shape[:3], v.shape[3])
    outs = []
    B, H = q.shape[:2]
    if mask is not None: mask = mask.expand(B, H, q.shape[2], k.shape[2])
    if 0 in (B, H): return out.to(dt)
    for b in range(B):
        row = []
        for h in range(H):
            s = q[b, h] @ k[b, h].T * scale
            if mask is None: row.append(s.softmax(-1) @ v[b, h])
            else:
                m = mask[b, h]
                row.append(s.masked_fill(~m, -torch.inf).softmax(-1).masked_fill(~m, 0) @ v[b, h])
        outs.append(torch.stack(row))
    return torch.stack(outs).to(dt)
