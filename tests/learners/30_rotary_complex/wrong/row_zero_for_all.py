import torch

def apply_rotary_embeddings(x, freqs_complex):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2 or len(freqs_complex) < x.shape[1] or freqs_complex.shape[1] != half:
        raise ValueError
    z = torch.view_as_complex(x.float().unflatten(-1, (half, 2)).contiguous())
    return torch.view_as_real(z * freqs_complex[0]).flatten(-2).to(x.dtype) if x.shape[1] else x * 1
