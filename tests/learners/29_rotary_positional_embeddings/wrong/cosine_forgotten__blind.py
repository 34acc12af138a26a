import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    v = x.to(torch.promote_types(x.dtype, torch.float32))
    freq = base ** (-torch.arange(0, d, 2, device=v.device, dtype=v.dtype) / d)
    sin = (torch.arange(x.shape[2], device=v.device, dtype=v.dtype)[:, None] * freq).sin()
    p, q = v.tensor_split(2, dim=-1)
    out = torch.cat([p - q * sin, q + p * sin], dim=-1)
    return out.to(x.dtype)
