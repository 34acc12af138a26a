import torch


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    seq, d = x.shape[-2:]
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float32) / d)
    m = torch.arange(0, seq - 1, dtype=torch.float32)
    angles = torch.einsum("i,j->ij", m, theta).repeat(1, 2)
    return x * angles.cos() + rotate_half(x) * angles.sin()
