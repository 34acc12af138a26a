import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    xf = x.float()
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d)
    ang = torch.arange(n, device=x.device, dtype=torch.float32)[:, None] * inv
    ang = torch.cat((ang, ang), dim=-1)
    turned = torch.cat((-xf[..., d // 2 :], xf[..., : d // 2]), dim=-1)
    return (xf * ang.cos() + turned * ang.sin()).type_as(x)
