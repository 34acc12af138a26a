import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    half = d // 2
    dt = torch.promote_types(x.dtype, torch.float32)
    k = torch.arange(half, device=x.device, dtype=dt)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * base ** (-2 * k / d)
    a, b = x[..., :half].to(dt), x[..., half : 2 * half].to(dt)
    z = torch.complex(a, b) * torch.polar(torch.ones_like(ang), ang)
    return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)
