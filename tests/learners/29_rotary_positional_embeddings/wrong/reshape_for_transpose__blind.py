import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, n, d = x.shape
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    y = x.reshape(b, n, h, d)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = (torch.arange(n, device=x.device, dtype=dt)[:, None] * inv).unsqueeze(1)
    cos, sin = torch.cos(ang), torch.sin(ang)
    left, right = y[..., : d // 2], y[..., d // 2 :]
    y = torch.cat((left * cos - right * sin, left * sin + right * cos), dim=-1)
    return y.reshape(b, h, n, d).to(x.dtype)
