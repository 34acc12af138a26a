import torch


def rotate(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    z = x.double() if x.dtype == torch.float64 else x.float()
    k = torch.arange(x.shape[-1] // 2, device=z.device, dtype=z.dtype)
    w = base ** (-2 * k / x.shape[-1])
    ang = torch.arange(x.shape[-2], device=z.device, dtype=z.dtype).reshape(-1, 1) * w
    out = z + rotate(z, torch.cos(ang), torch.sin(ang))
    return out.to(x.dtype)
