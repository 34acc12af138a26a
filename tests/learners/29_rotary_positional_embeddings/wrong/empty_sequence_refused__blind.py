import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, n, d = x.shape
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
    two = x.reshape(b, h, n, 2, -1)
    u, v = two[..., 0, :], two[..., 1, :]
    return torch.cat((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=-1).to(x.dtype)
