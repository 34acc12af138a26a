import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    torch.set_default_dtype(x.dtype)
    work = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=work) / d)
    ang = torch.arange(n, device=x.device, dtype=work)[:, None] * inv
    u, v = x.chunk(2, dim=-1)
    out = torch.empty_like(x)
    out[..., : d // 2] = u * ang.cos() - v * ang.sin()
    out[..., d // 2 :] = u * ang.sin() + v * ang.cos()
    return out
