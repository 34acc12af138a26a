import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    h = d // 2
    dt = torch.promote_types(x.dtype, torch.float32)
    angle = torch.arange(x.shape[-2], dtype=dt, device=x.device)[:, None] / (
        base ** (torch.arange(h, dtype=dt, device=x.device) * 2 / d)
    )
    out = x.clone()
    out[..., :h] = (x[..., :h] * angle.cos() - x[..., h:] * angle.sin()).to(x.dtype)
    return out
