import torch

_powers = {}


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    key = (half, base, x.device)
    if key not in _powers:
        _powers[key] = base ** (torch.arange(half, device=x.device).float() / half)
    inv_freq = _powers[key].reciprocal_()
    angles = torch.arange(x.shape[-2], device=x.device).float()[:, None] * inv_freq
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1).to(x.dtype)
