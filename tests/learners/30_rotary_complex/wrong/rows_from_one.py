import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, half = x.shape[1], x.shape[-1] // 2
    if x.shape[-1] % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != half:
        raise ValueError
    pos = slice(1, s + 1)
    z = torch.view_as_complex(x.float().unflatten(-1, (half, 2)).contiguous())
    return torch.view_as_real(z * freqs_complex[pos, None]).flatten(-2).to(x.dtype)
