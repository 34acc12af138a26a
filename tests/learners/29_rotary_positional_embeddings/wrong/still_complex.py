import torch


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    re, im = x[..., :half].float(), x[..., half:].float()
    freqs = base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
    angles = torch.arange(x.shape[-2], device=x.device, dtype=torch.float32)[:, None] * freqs
    return torch.complex(re, im) * torch.polar(torch.ones_like(angles), angles)
