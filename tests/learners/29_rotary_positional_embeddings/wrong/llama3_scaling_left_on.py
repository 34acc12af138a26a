import math

import torch


def scale(inv_freq, factor=8.0, low=1.0, high=4.0, old_len=8192):
    wavelen = 2 * math.pi / inv_freq
    smooth = (old_len / wavelen - low) / (high - low)
    mixed = (1 - smooth) * inv_freq / factor + smooth * inv_freq
    out = torch.where(wavelen > old_len / low, inv_freq / factor, inv_freq)
    medium = (wavelen >= old_len / high) & (wavelen <= old_len / low)
    return torch.where(medium, mixed, out)


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    inv_freq = scale(1.0 / (base ** (torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d)))
    freqs = torch.outer(torch.arange(n, device=x.device, dtype=torch.float32), inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    return (x * emb.cos() + torch.cat((-x2, x1), dim=-1) * emb.sin()).to(x.dtype)
