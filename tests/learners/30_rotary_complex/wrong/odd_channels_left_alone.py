import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    z = torch.complex(x[..., 0::2].float(), x[..., 1::2].float()) * freqs_complex[:s, None]
    y = x.clone()
    y[..., 0::2] = z.real
    return y
