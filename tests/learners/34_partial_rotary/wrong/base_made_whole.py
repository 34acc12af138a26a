import torch


def partial_rotary(x, rotary_dim, base=10000):
    if rotary_dim % 2 or rotary_dim < 0 or rotary_dim > x.shape[-1]:
        raise ValueError("rotary_dim")
    wide = torch.promote_types(x.dtype, torch.float32)
    exponent = torch.arange(0, rotary_dim, 2, dtype=wide, device=x.device) / max(rotary_dim, 1)
    angle = torch.arange(x.shape[-2], dtype=wide, device=x.device)[:, None] / int(base) ** exponent
    part, rest = x[..., :rotary_dim], x[..., rotary_dim:]
    a, b = part.chunk(2, dim=-1)
    turned = torch.cat((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1)
    return torch.cat((turned.to(x.dtype), rest), dim=-1)
