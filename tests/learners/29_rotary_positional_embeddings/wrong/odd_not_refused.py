import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    wide = torch.promote_types(x.dtype, torch.float32)
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device, dtype=wide) / d))
    freqs = torch.arange(x.shape[-2], device=x.device, dtype=wide)[:, None] * inv_freq
    emb = torch.cat((freqs, freqs), dim=-1)
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    return (x * emb.cos() + torch.cat((-x2, x1), dim=-1) * emb.sin()).to(x.dtype)
