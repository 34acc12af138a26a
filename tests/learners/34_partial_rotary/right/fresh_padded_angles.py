import torch


def partial_rotary(x, rotary_dim, base=10000.0):
    d = x.shape[-1]
    if rotary_dim & 1 or rotary_dim not in range(d + 1):
        raise ValueError(f"rotary_dim {rotary_dim} for head_dim {d}")
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    half = rotary_dim // 2
    speed = torch.exp2(-torch.arange(half, dtype=wide, device=x.device) * (2 / max(rotary_dim, 1)) * torch.log2(torch.tensor(base, dtype=wide, device=x.device)))
    speed = torch.nn.functional.pad(torch.cat((speed, speed)), (0, d - rotary_dim))
    angle = torch.arange(x.shape[-2], dtype=wide, device=x.device)[:, None] * speed
    partner = torch.cat((-x[..., half:rotary_dim], x[..., :half], x[..., rotary_dim:]), dim=-1)
    return (x * angle.cos() + partner * angle.sin()).to(x.dtype)
