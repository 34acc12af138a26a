import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    freqs = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    freqs = torch.outer(torch.arange(x.shape[2]).float(), freqs)
    freqs_cis = torch.polar(torch.ones_like(freqs), freqs)
    x_complex = x.float().reshape(*x.shape[:-1], -1, 2).view_as_complex()
    return torch.view_as_real(x_complex * freqs_cis).flatten(3).type_as(x)
