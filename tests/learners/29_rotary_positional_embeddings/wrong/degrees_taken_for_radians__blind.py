import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    angle = torch.rad2deg(torch.arange(x.shape[2], device=x.device, dtype=dt)[:, None] * freq)
    sin, cos = torch.sin(angle), torch.cos(angle)
    x1, x2 = x.tensor_split(2, -1)
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], -1).to(x.dtype)
