import torch


def rot90(v):
    k = v.shape[-1] // 2
    left, right = v[..., :k], v[..., k:]
    return torch.cat([-left, right], dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    xx = x.to(torch.promote_types(x.dtype, torch.float32))
    pos = torch.arange(x.shape[-2], device=xx.device, dtype=xx.dtype)
    i = torch.arange(d // 2, device=xx.device, dtype=xx.dtype)
    ang = pos.unsqueeze(-1) * torch.pow(base, -2 * i / d)
    ang = torch.cat([ang, ang], -1)
    return (xx * ang.cos() + rot90(xx) * ang.sin()).type(x.dtype)
