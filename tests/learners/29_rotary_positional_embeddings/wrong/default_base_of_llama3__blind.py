import torch

ROPE_THETA = 500000.0


def apply_rotary_pos_emb(x, base=ROPE_THETA):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    freqs = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device, dtype=dt) / d))
    t = torch.arange(x.shape[-2], device=x.device, dtype=dt)
    freqs = t[:, None] * freqs
    cis = torch.polar(torch.ones_like(freqs), freqs)
    z = torch.complex(x[..., : d // 2].to(dt), x[..., d // 2 :].to(dt))
    z = z * cis
    return torch.cat([z.real, z.imag], -1).to(x.dtype)
