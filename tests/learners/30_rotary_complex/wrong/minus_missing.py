import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    c, n = freqs_complex[:s, None].real, freqs_complex[:s, None].imag
    e, o = x[..., 0::2].float(), x[..., 1::2].float()
    return torch.stack([e * c + o * n, e * n + o * c], -1).flatten(-2).to(x.dtype)
