import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    e, o = x[..., 0::2].clone(), x[..., 1::2].clone()
    f = freqs_complex[:s, None]
    a = e * f.real - o * f.imag
    b = e * f.imag + o * f.real
    x.data[..., 0::2] = a.data
    x.data[..., 1::2] = b.data
    return torch.stack([a, b], -1).flatten(-2).to(x.dtype)
