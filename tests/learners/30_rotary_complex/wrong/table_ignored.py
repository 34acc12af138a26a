import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    theta = 10000.0 ** (-torch.arange(0, d, 2, device=x.device).float() / d)
    ang = torch.outer(torch.arange(s, device=x.device).float(), theta)
    f = torch.polar(torch.ones_like(ang), ang)[:, None]
    z = torch.complex(x[..., 0::2].float(), x[..., 1::2].float()) * f
    return torch.view_as_real(z).flatten(-2).to(x.dtype)
