import torch

@torch.no_grad()
def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    e, o = x[..., 0::2], x[..., 1::2]
    f = freqs_complex[:s, None]
    return torch.stack([e * f.real - o * f.imag, e * f.imag + o * f.real], -1).flatten(-2).to(x.dtype)
