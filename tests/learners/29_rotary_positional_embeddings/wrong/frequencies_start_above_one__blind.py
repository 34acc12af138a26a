import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    # theta_i = base^(-2(i-1)/d)
    i = torch.arange(0, d // 2, dtype=dt, device=x.device)
    theta = base ** (-2 * (i - 1) / d)
    ang = torch.arange(x.shape[2], dtype=dt, device=x.device)[:, None] * theta
    R = torch.polar(torch.ones_like(ang), ang)
    z = torch.complex(x[..., : d // 2].to(dt), x[..., d // 2 :].to(dt)) * R
    return torch.cat((z.real, z.imag), -1).to(x.dtype)
