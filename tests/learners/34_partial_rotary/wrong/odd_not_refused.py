import torch


def rotate_half(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)


def rotary(x, base):
    n, d = x.shape[-2:]
    kind = torch.promote_types(x.dtype, torch.float32)
    inv = 1.0 / base ** (torch.arange(0, d, 2, dtype=kind, device=x.device) / max(d, 1))
    angle = torch.outer(torch.arange(n, dtype=kind, device=x.device), inv)
    angle = torch.cat((angle, angle), dim=-1)
    return (x * angle.cos() + rotate_half(x) * angle.sin()).to(x.dtype)


def partial_rotary(x, rotary_dim, base=10000.0):
    if rotary_dim < 0 or rotary_dim > x.size(-1):
        raise ValueError("rotary_dim does not fit head_dim")
    return torch.cat((rotary(x[..., :rotary_dim], base), x[..., rotary_dim:]), dim=-1)
