import torch


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    head_dim = x.shape[-1]
    if head_dim % 2 != 0:
        raise ValueError("head_dim must be even")
    dtype = torch.promote_types(torch.float32, x.dtype)
    idx = torch.arange(0, head_dim, 2, device=x.device, dtype=dtype)
    inv_freq = 1.0 / base ** (idx / head_dim)
    t = torch.arange(x.shape[2], device=x.device, dtype=dtype)
    freqs = t[:, None] * inv_freq[None]
    emb = torch.repeat_interleave(freqs, 2, dim=-1)
    cos = emb.cos()[None, None]
    sin = emb.sin()[None, None]
    return (x * cos + rotate_half(x) * sin).to(x.dtype)
