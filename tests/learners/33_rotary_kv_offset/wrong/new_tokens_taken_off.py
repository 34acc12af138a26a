import torch


def rotary_kv_offset(x, start_pos=0, base=10000.0):
    if start_pos < 0 or x.shape[-1] % 2:
        raise ValueError("start_pos or head_dim")
    first = max(start_pos - x.shape[-2], 0)
    half = x.shape[-1] // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    freqs = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
    angles = torch.arange(first, first + x.shape[-2], dtype=wide, device=x.device)[:, None] * freqs
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).to(x.dtype)
