import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    theta = base ** (-2 * torch.arange(d // 2, device=x.device, dtype=dt) / d)
    m = torch.arange(n, device=x.device, dtype=dt)[:, None]
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    y1 = x1 * cos(m * theta) - x2 * sin(m * theta)
    y2 = x1 * sin(m * theta) + x2 * cos(m * theta)
    return torch.cat((y1, y2), dim=-1).to(x.dtype)
