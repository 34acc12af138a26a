import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    a, b = x[..., : d // 2].to(dt), x[..., d // 2 :].to(dt)
    ang = torch.arange(x.shape[2], dtype=dt, device=x.device)[:, None] * base ** (
        -torch.arange(0, d, 2, dtype=dt, device=x.device) / d
    )
    z = torch.complex(a, b) * torch.polar(torch.ones_like(ang), ang)
    return z.imag.to(x.dtype)
