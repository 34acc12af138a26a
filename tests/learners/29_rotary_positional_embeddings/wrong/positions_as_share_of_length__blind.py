import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    pos = torch.arange(n, device=x.device, dtype=dt) / max(n, 1)
    w = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    c, s = torch.cos(pos[:, None] * w), torch.sin(pos[:, None] * w)
    x1 = x[..., : d // 2]
    x2 = x[..., d // 2 :]
    return torch.cat([x1 * c - x2 * s, x1 * s + x2 * c], dim=-1).to(x.dtype)
