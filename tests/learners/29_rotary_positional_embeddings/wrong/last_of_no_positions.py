import torch


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    positions = torch.arange(x.shape[2], device=x.device)
    longest = positions[-1] + 1
    inv_freq = base ** (-torch.arange(half, device=x.device).float() / half)
    ang = torch.arange(int(longest), device=x.device).float()[:, None] * inv_freq
    a, b = x.split(half, dim=-1)
    return torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], dim=-1).to(x.dtype)
