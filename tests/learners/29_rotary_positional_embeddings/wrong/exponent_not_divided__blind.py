import torch


def frequencies(pairs, base, device, dtype):
    i = torch.arange(pairs, device=device, dtype=dtype)
    return torch.pow(base, -2.0 * i)


def apply_rotary_pos_emb(x, base=10000.0):
    pairs, rest = divmod(x.shape[-1], 2)
    if rest:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    angles = torch.arange(x.shape[-2], device=x.device, dtype=dt)[:, None] * frequencies(pairs, base, x.device, dt)
    a = x[..., :pairs]
    b = x[..., pairs:]
    out = torch.cat((a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()), dim=-1)
    return out.to(x.dtype)
