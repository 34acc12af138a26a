import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, half = x.shape[1], x.shape[-1] // 2
    if x.shape[-1] % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != half:
        raise ValueError
    if s == 0:
        return x.clone()
    e, o = x[..., ::2].float(), x[..., 1::2].float()
    f = freqs_complex[s - 1]
    return torch.stack([e * f.real - o * f.imag, e * f.imag + o * f.real], -1).flatten(-2).to(x.dtype)
