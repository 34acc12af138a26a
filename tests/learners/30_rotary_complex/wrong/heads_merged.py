import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d // 2, 2).contiguous())
    return torch.view_as_real(z * freqs_complex[:s, None]).flatten(2).type_as(x)
