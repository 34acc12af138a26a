import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    ws = [base ** (-2 * i / d) for i in range(d // 2)]
    inv_freq = torch.tensor(ws, device=x.device, dtype=torch.bfloat16)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv_freq.to(dt)
    z = torch.complex(*x.to(dt).chunk(2, dim=-1)) * torch.polar(torch.ones_like(ang), ang)
    return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)
