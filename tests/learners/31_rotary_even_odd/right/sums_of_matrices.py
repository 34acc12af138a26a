import torch

def rotary_even_odd(q, k, position_ids, base=10000.0):
    d = q.shape[-1]
    if d % 2 == 1:
        raise ValueError
    dt = torch.promote_types(q.dtype, torch.float32)
    f = torch.pow(float(base), torch.arange(0, -d, -2, dtype=dt, device=q.device) / max(d, 1))
    a = position_ids.to(dt)[..., None] * f
    c, s = a.cos(), a.sin()
    m = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)  # b s j 2 2
    def go(x):
        p = x.to(dt).unflatten(-1, (d // 2, 2))
        r = (m[:, None] * p.unsqueeze(-2)).sum(-1)
        return r.flatten(-2).to(x.dtype)
    return go(q), go(k)
