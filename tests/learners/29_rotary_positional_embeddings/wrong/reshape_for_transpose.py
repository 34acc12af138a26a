import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, s, d = x.shape
    # positions go along axis 1 from here on
    y = x.reshape(b, s, h, d)
    theta = base ** (-2.0 * torch.arange(d // 2, device=x.device) / d)
    ang = torch.arange(s, device=x.device)[:, None] * theta[None, :]
    cos = torch.cos(ang)[None, :, None, :]
    sin = torch.sin(ang)[None, :, None, :]
    lo, hi = y[..., : d // 2], y[..., d // 2 :]
    y = torch.cat([lo * cos - hi * sin, hi * cos + lo * sin], dim=-1)
    return y.reshape(b, h, s, d).to(x.dtype)
