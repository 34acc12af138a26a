import torch

WINDOW = 4096


def rotary_kv_offset(x, start_pos=0, base=10000.0):
    if start_pos < 0 or x.shape[-1] % 2:
        raise ValueError("start_pos or head_dim")
    slots = (torch.arange(x.shape[-2], device=x.device) + start_pos) % WINDOW
    half = x.shape[-1] // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    freqs = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
    angles = slots[:, None] * freqs
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).to(x.dtype)
