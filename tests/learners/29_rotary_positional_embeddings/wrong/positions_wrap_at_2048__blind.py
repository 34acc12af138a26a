import torch

MAX_SEQ = 2048


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(MAX_SEQ, device=x.device, dtype=dt)[:, None] * inv
    cis = torch.polar(torch.ones_like(ang), ang)
    cis = cis[torch.arange(n, device=x.device) % MAX_SEQ]
    z = torch.complex(x[..., : d // 2].to(dt), x[..., d // 2 :].to(dt)) * cis
    return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)
