import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"{d}")
    h = d // 2
    dt = torch.promote_types(x.dtype, torch.float32)
    ar = lambda k: torch.arange(k, dtype=dt, device=x.device)
    ang = ar(x.shape[-2])[:, None] * base ** (-ar(h) / h)
    cos = ang.cos()
    sin = ang.sin()
    a = x[..., :h]
    b = x[..., h:]
    a = a * cos - b * sin
    b = a * sin + b * cos
    return torch.cat([a, b], dim=-1).to(x.dtype)
