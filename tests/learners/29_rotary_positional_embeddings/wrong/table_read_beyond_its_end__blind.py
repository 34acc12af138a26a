import torch

MAX = 8192


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    table = torch.arange(MAX, device=x.device, dtype=dt)[:, None] * inv
    ids = torch.arange(n, device=x.device)
    ang = torch.index_select(table, 0, ids)
    u, v = x.chunk(2, dim=-1)
    return torch.cat((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=-1).to(x.dtype)
