import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = torch.tensor([base ** (-2 * i / d) for i in range(d // 2)], dtype=dt)
    ang = torch.arange(n, dtype=dt).unsqueeze(1) * inv
    cis = torch.polar(torch.ones_like(ang), ang)
    z = torch.complex(*x.to(dt).chunk(2, dim=-1)) * cis
    return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)
