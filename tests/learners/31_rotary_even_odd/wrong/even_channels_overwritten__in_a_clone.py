import torch

def rotate(x, cos, sin):
    out = x.clone().detach() + (x - x.detach())
    even = out[..., 0::2]
    odd = out[..., 1::2]
    out[..., 0::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out

def rotary_even_odd(q, k, position_ids, base=10000.0):
    d = q.shape[-1]
    if d % 2 != 0:
        raise ValueError("head_dim must be even")
    acc = torch.float64 if q.dtype == torch.float64 else torch.float32
    inv_freq = 1.0 / base ** (torch.arange(0, d, 2, device=q.device, dtype=acc) / d)
    pos = position_ids.to(acc)
    theta = pos[:, None, :, None] * inv_freq
    cos, sin = torch.cos(theta), torch.sin(theta)
    return rotate(q, cos, sin), rotate(k, cos, sin)
