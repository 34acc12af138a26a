import torch


def neg_half(x):
    a, b = torch.chunk(x, 2, -1)
    return -torch.cat([b, a], -1)


def cos_sin(seq, dim, base, device, dtype):
    inv = 1.0 / base ** (torch.arange(0, dim, 2, device=device, dtype=dtype) / dim)
    f = torch.arange(seq, device=device, dtype=dtype)[:, None] * inv[None, :]
    e = torch.cat([f, f], -1)[None, None]
    return e.cos(), e.sin()


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("head_dim odd")
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
    c, s = cos_sin(x.shape[-2], x.shape[-1], base, x.device, dtype)
    return (c * x + s * neg_half(x)).to(x.dtype)
