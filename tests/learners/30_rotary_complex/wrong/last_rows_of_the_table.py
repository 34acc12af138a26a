import torch

def apply_rotary_embeddings(x, freqs_complex):
    s = x.shape[1]
    if x.shape[-1] % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != x.shape[-1] // 2:
        raise ValueError
    f = freqs_complex[-s:][:, None]
    z = torch.view_as_complex(x.float().unflatten(-1, (x.shape[-1] // 2, 2)).contiguous())
    return torch.view_as_real(z * f).flatten(-2).to(x.dtype)
