import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    half = d // 2
    freqs = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device).float() / d))
    angles = torch.outer(torch.arange(x.shape[2], device=x.device).float(), freqs)
    freqs_cis = torch.polar(torch.ones_like(angles), angles)
    z = torch.complex(x[..., :half].float(), x[..., half:].float()) * freqs_cis
    return z.view_as_real().transpose(-1, -2).flatten(-2).type_as(x)
