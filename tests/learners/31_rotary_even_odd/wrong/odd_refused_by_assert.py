import torch

def rotate(x, cos, sin):
    even = x[..., 0::2]
    odd = x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return torch.stack((new_even, new_odd), dim=-1).flatten(-2).to(x.dtype)

def rotary_even_odd(q, k, position_ids, base=10000.0):
    d = q.shape[-1]
    assert d % 2 == 0
    acc = torch.float64 if q.dtype == torch.float64 else torch.float32
    inv_freq = 1.0 / base ** (torch.arange(0, d, 2, device=q.device, dtype=acc) / d)
    pos = position_ids.to(acc)
    theta = pos[:, None, :, None] * inv_freq
    cos, sin = torch.cos(theta), torch.sin(theta)
    return rotate(q, cos, sin), rotate(k, cos, sin)
