import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    d = x.shape[-1]
    wide = torch.promote_types(x.dtype, torch.float32)
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device, dtype=wide) / d))
    freqs = torch.arange(x.shape[-2], device=x.device, dtype=wide)[:, None] * inv_freq
    emb = torch.cat((freqs, freqs), dim=-1).to(x.dtype)
    cos, sin = emb.cos(), emb.sin()
    x1, x2 = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-x2, x1), dim=-1) * sin
