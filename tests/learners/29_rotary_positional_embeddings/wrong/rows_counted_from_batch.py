import torch


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    dim = x.size(-1)
    positions = torch.arange(len(x), device=x.device)
    inv_freq = base ** -(torch.arange(0, dim, 2, device=x.device) / dim)
    angles = positions[:, None] * inv_freq[None, :]
    angles = torch.cat([angles, angles], dim=-1)
    return x * torch.cos(angles) + rotate_half(x) * torch.sin(angles)
