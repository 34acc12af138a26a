import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, n, d = x.shape
    if d % 2 != 0:
        raise ValueError("head_dim must be even")
    dtype = torch.promote_types(x.dtype, torch.float32)
    theta = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device, dtype=dtype) / d))
    position = torch.arange(n, device=x.device, dtype=dtype).unsqueeze(1)
    freqs = position * theta
    cos, sin = freqs.cos(), freqs.sin()
    x_rotated = x[..., ::2] * cos - x[..., 1::2] * sin
    return x_rotated.to(x.dtype)
