# rotation as multiplication of complex numbers
import torch


def frequencies(d, base, device, dtype):
    i = torch.arange(d // 2, device=device, dtype=dtype)
    return base ** (-2.0 * i / d)


def apply_rotary_pos_emb(x, base=10000.0):
    B, H, S, D = x.shape
    if D % 2 == 1:
        raise ValueError("odd head_dim")
    real = torch.float64 if x.dtype == torch.float64 else torch.float32
    w = frequencies(D, base, x.device, real)
    p = torch.arange(S, device=x.device, dtype=real)
    phi = torch.rad2deg(p[:, None] * w[None, :])
    cis = torch.polar(torch.ones_like(phi), phi)
    re, im = x[..., : D // 2].to(real), x[..., D // 2 :].to(real)
    z = torch.complex(re, im) * cis
    return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)
