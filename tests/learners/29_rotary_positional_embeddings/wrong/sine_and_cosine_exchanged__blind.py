import torch


def tables(x, base, dtype):
    n, d = x.shape[-2], x.shape[-1]
    expo = -torch.arange(0, d, 2, device=x.device, dtype=dtype) / d
    th = torch.arange(n, device=x.device, dtype=dtype)[..., None] * base ** expo
    return th.sin(), th.cos()


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim should be even")
    dtype = torch.promote_types(x.dtype, torch.float32)
    cos, sin = tables(x, base, dtype)
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    y1 = x1 * cos - x2 * sin
    y2 = x1 * sin + x2 * cos
    return torch.cat((y1, y2), dim=-1).to(x.dtype)
