import torch, math

def complex_rotate(x, cis):
    b, h, s, d = x.shape
    z = torch.view_as_complex(x.to(cis.real.dtype).reshape(b, h, s, d // 2, 2).contiguous())
    return torch.view_as_real(z * cis).reshape(b, h, s, d).type_as(x)

def rotary_even_odd(q, k, position_ids, base=10000.0):
    d = q.size(-1)
    if d % 2:
        raise ValueError("odd")
    t = torch.promote_types(q.dtype, torch.float32)
    w = torch.exp(torch.arange(d // 2, dtype=t, device=q.device) * (-2 * math.log(10000.0) / max(d, 1)))
    a = position_ids.to(t).unsqueeze(2) * w
    cis = torch.polar(torch.ones_like(a), a).unsqueeze(1)
    return complex_rotate(q, cis), complex_rotate(k, cis)
