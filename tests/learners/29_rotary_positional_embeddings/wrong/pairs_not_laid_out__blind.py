import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    z = torch.view_as_complex(torch.stack(x.to(dt).chunk(2, dim=-1), dim=-1))
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
    cis = torch.polar(torch.ones_like(ang), ang)
    return torch.view_as_real(z * cis).to(x.dtype)
