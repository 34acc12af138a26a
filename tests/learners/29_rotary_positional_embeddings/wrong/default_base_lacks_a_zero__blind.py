import torch


def apply_rotary_pos_emb(x, base=1e3):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv
    R = torch.stack((torch.stack((ang.cos(), -ang.sin()), -1), torch.stack((ang.sin(), ang.cos()), -1)), -2)
    pts = torch.stack(x.to(dt).chunk(2, dim=-1), dim=-1)  # b h n d/2 2
    out = (R * pts.unsqueeze(-2)).sum(-1)
    return torch.cat((out[..., 0], out[..., 1]), dim=-1).to(x.dtype)
