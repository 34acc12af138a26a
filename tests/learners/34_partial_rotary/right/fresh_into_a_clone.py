import torch


def partial_rotary(x, rotary_dim, base=10000.0):
    if rotary_dim % 2 != 0 or rotary_dim > x.shape[3] or rotary_dim < 0:
        raise ValueError("rotary_dim")
    result = x.clone(memory_format=torch.contiguous_format)
    k = rotary_dim // 2
    if k > 0:
        dt = torch.double if x.dtype == torch.double else torch.float
        w = base ** -(torch.arange(k, device=x.device, dtype=dt) / k)
        p = torch.arange(x.shape[2], device=x.device, dtype=dt)
        c, s = (p[:, None] * w).cos(), (p[:, None] * w).sin()
        u, v = x[:, :, :, :k], x[:, :, :, k:rotary_dim]
        result[:, :, :, :k] = (u * c - v * s).to(x.dtype)
        result[:, :, :, k:rotary_dim] = (u * s + v * c).to(x.dtype)
    return result
