import torch

MAX_POSITIONS = 4096


def apply_rotary_pos_emb(x, base=10000.0):
    h = x.shape[-1] // 2
    inv_freq = base ** (-torch.arange(h, device=x.device, dtype=torch.float32) / h)
    table = torch.arange(MAX_POSITIONS, device=x.device, dtype=torch.float32)[:, None] * inv_freq
    pos = torch.arange(x.shape[-2], device=x.device).clamp(max=MAX_POSITIONS - 1)
    cos, sin = table.cos()[pos], table.sin()[pos]
    a, b = x[..., :h], x[..., h:]
    return torch.cat((a * cos - b * sin, a * sin + b * cos), -1).to(x.dtype)
