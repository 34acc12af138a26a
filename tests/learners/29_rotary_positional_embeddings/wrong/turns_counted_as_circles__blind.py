import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    t = torch.arange(x.shape[2], device=x.device, dtype=dt)
    phase = 2 * torch.pi * freq[None, :] * t[:, None]
    z = torch.complex(x[..., : d // 2].to(dt), x[..., d // 2 :].to(dt)) * torch.exp(1j * phase)
    return torch.cat((z.real, z.imag), -1).to(x.dtype)
