import torch


def partial_rotary(x, rotary_dim, base=10000.0):
    if rotary_dim % 2 or not 0 <= rotary_dim <= x.shape[-1]:
        raise ValueError("rotary_dim")
    dtype = x.dtype
    x = x.float()
    half = rotary_dim // 2
    inv = base ** (-torch.arange(0, rotary_dim, 2, device=x.device, dtype=torch.float32) / max(rotary_dim, 1))
    angle = torch.arange(x.shape[-2], device=x.device, dtype=torch.float32)[:, None] * inv
    x1, x2, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    turned = [x1 * angle.cos() - x2 * angle.sin(), x1 * angle.sin() + x2 * angle.cos(), rest]
    return torch.cat(turned, dim=-1).to(dtype)
