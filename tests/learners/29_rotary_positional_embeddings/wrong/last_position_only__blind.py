import torch


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    """older tokens are in the KV cache already, so only the newest is rotated"""
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    if n == 0:
        return x.clone()
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, dtype=dt, device=x.device) / d)
    ang = (n - 1) * torch.cat([inv, inv])
    new = x[:, :, -1:]
    new = new * ang.cos() + rotate_half(new) * ang.sin()
    return torch.cat([x[:, :, :-1], new.to(x.dtype)], dim=2)
