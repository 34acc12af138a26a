import torch


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    freqs = 1.0 / (base ** (torch.arange(half).float() / half))
    angles = torch.outer(torch.arange(x.shape[2]).float(), freqs)
    freqs_cis = torch.polar(torch.ones_like(angles), angles)
    freqs_cis = freqs_cis.unsqueeze(0).unsqueeze(2)
    z = torch.view_as_complex(torch.stack([x[..., :half], x[..., half:]], dim=-1).float())
    z = z * freqs_cis
    return torch.cat([z.real, z.imag], dim=-1).type_as(x)
