import torch

MAX_LEN = 1024


def rotary_kv_offset(x, start_pos=0, base=10000.0):
    if start_pos < 0 or x.shape[-1] % 2:
        raise ValueError("start_pos or head_dim")
    half = x.shape[-1] // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    freqs = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
    angles = torch.arange(MAX_LEN, dtype=wide, device=x.device)[:, None] * freqs
    places = torch.arange(start_pos, start_pos + x.shape[-2], device=x.device)
    angles = angles[places.clamp(max=MAX_LEN - 1)]
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).to(x.dtype)
