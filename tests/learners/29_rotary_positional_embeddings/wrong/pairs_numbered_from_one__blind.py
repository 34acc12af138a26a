import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    i = torch.arange(1, d // 2 + 1, dtype=dt, device=x.device)
    theta = base ** (-2 * i / d)
    pos = torch.arange(0, x.shape[2], dtype=dt, device=x.device)
    c = torch.cos(pos[:, None] * theta[None, :])
    s = torch.sin(pos[:, None] * theta[None, :])
    x1, x2 = x[:, :, :, : d // 2], x[:, :, :, d // 2 :]
    return torch.cat((x1 * c - x2 * s, x1 * s + x2 * c), dim=3).to(x.dtype)
