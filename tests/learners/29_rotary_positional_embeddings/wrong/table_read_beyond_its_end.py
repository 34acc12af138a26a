import torch

MAX_POSITIONS = 4096


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    inv_freq = base ** (-torch.arange(half, device=x.device).float() / half)
    angles = torch.arange(MAX_POSITIONS, device=x.device).float()[:, None] * inv_freq
    position_ids = torch.arange(x.shape[-2], device=x.device)
    cos, sin = angles.cos()[position_ids], angles.sin()[position_ids]
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1).to(x.dtype)
