import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, n, d = x.shape
    if d % 2:
        raise ValueError("head_dim must be even")
    d_model = h * d
    dt = torch.promote_types(x.dtype, torch.float32)
    theta = base ** (-2 * torch.arange(d // 2, device=x.device, dtype=dt) / d_model)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * theta
    x1, x2 = torch.split(x, d // 2, dim=-1)
    y1 = x1 * torch.cos(ang) - x2 * torch.sin(ang)
    y2 = x2 * torch.cos(ang) + x1 * torch.sin(ang)
    return torch.cat([y1, y2], dim=-1).to(x.dtype)
