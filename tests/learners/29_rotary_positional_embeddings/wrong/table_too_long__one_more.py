import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, s, d = x.shape
    freqs = base ** (-torch.arange(d // 2) * 2 / d)
    positions = torch.linspace(0, s, s + 1)
    angle = positions.unsqueeze(-1) * freqs
    c, si = torch.cos(angle), torch.sin(angle)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * c - b * si, a * si + b * c), dim=-1)
