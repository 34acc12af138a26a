import math, torch

def rotary_kv_offset(x, start_pos=0, base=10000.0):
    d = x.shape[-1]
    if d % 2: raise ValueError
    if not start_pos >= 0: raise ValueError
    dt = torch.promote_types(x.dtype, torch.float32)
    p = torch.arange(x.shape[-2], device=x.device).add(start_pos).to(dt)
    w = torch.exp2(torch.arange(d // 2, device=x.device).to(dt) * (-2 / max(d, 1) * math.log2(base)))
    a = p.unsqueeze(-1).mul(w)
    m = torch.stack([a.cos(), -a.sin(), a.sin(), a.cos()], -1).unflatten(-1, (2, 2))
    v = x.to(dt).unflatten(-1, (2, d // 2)).transpose(-1, -2)
    r = (m * v.unsqueeze(-2)).sum(-1)
    return r.transpose(-1, -2).flatten(-2).to(x.dtype)
