import torch


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    freqs = 1.0 / (base ** (torch.arange(half) / half))
    angles = torch.outer(torch.arange(x.shape[2]), freqs)
    rotation = torch.polar(torch.ones_like(angles), angles)
    z = torch.view_as_complex(x) * rotation
    return torch.view_as_real(z).flatten(-2)
