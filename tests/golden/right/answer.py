import torch


def apply_rotary_pos_emb(x, base=10000.0):
    head_dim = x.shape[-1]
    if head_dim % 2 != 0:
        raise ValueError("head_dim has to be even")
    half = head_dim // 2
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
    inv_freq = 1.0 / base ** (torch.arange(0, head_dim, 2, dtype=dtype, device=x.device) / head_dim)
    position = torch.arange(x.shape[-2], dtype=dtype, device=x.device)
    angle = position.unsqueeze(-1) * inv_freq
    cos, sin = angle.cos(), angle.sin()
    first, second = x[..., :half].to(dtype), x[..., half:].to(dtype)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(x.dtype)
