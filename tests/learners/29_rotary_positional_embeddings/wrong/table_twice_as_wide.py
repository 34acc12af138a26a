import torch


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    dim = x.shape[-1]
    freqs = base ** (-torch.arange(dim) / dim)
    angles = torch.outer(torch.arange(x.shape[2]), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return x * emb.cos() + rotate_half(x) * emb.sin()
