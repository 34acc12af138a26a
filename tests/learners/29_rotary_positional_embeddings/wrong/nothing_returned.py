import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.size(-1)
    inv_freq = 1.0 / base ** (torch.arange(0, d, 2, device=x.device).float() / d)
    m = torch.arange(x.size(-2), device=x.device).float()
    cos, sin = torch.cos(m[:, None] * inv_freq), torch.sin(m[:, None] * inv_freq)
    a, b = x.chunk(2, dim=-1)
    out = torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)
    out = out.to(x.dtype)
