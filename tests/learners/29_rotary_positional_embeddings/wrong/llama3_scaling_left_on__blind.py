import math
import torch


def llama3_inv_freq(d, base, device, dtype):
    factor, low, high, old = 8.0, 1.0, 4.0, 8192
    inv = 1.0 / base ** (torch.arange(0, d, 2, device=device, dtype=dtype) / d)
    wavelen = 2 * math.pi / inv
    smooth = (old / wavelen - low) / (high - low)
    mixed = (1 - smooth) * inv / factor + smooth * inv
    res = torch.where(wavelen > old / low, inv / factor, inv)
    medium = (wavelen <= old / low) & (wavelen >= old / high)
    return torch.where(medium, mixed, res)


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    ang = torch.arange(x.shape[2], device=x.device, dtype=dt)[:, None] * llama3_inv_freq(d, base, x.device, dt)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * ang.cos() - b * ang.sin(), b * ang.cos() + a * ang.sin()), dim=-1).to(x.dtype)
