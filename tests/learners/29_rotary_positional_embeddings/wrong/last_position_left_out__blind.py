import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2], x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    last = max(n - 1, 0)
    pos = torch.arange(0, last, dtype=dt, device=x.device)
    inv = 1 / base ** (torch.arange(0, d, 2, dtype=dt, device=x.device) / d)
    phi = pos[:, None] * inv
    u = x[..., :last, : d // 2]
    v = x[..., :last, d // 2 :]
    out = x.clone()
    out[..., :last, : d // 2] = (u * phi.cos() - v * phi.sin()).to(x.dtype)
    out[..., :last, d // 2 :] = (u * phi.sin() + v * phi.cos()).to(x.dtype)
    return out
