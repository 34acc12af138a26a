import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    rows = x.flatten(0, 2).to(dt)
    i = torch.arange(d // 2, device=x.device, dtype=dt)
    ang = torch.arange(rows.shape[0], device=x.device, dtype=dt)[:, None] * base ** (-2 * i / d)
    z = torch.complex(rows[:, : d // 2], rows[:, d // 2 :])
    z = z * torch.polar(torch.ones_like(ang), ang)
    return torch.cat((z.real, z.imag), dim=1).reshape(x.shape).to(x.dtype)
