import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = torch.exp(-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(x.shape[2], device=x.device, dtype=dt)[:, None] * inv
    rot = torch.complex(ang.cos(), ang.sin())
    z = torch.complex(*x.to(dt).tensor_split(2, dim=-1)) * rot
    return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)
