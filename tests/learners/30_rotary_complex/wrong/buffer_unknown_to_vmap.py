import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    w = torch.promote_types(x.dtype, torch.float32)
    z = torch.view_as_complex(x.to(w).unflatten(-1, (d // 2, 2)).contiguous()) * freqs_complex[:s, None]
    y = torch.zeros(x.shape, dtype=x.dtype, device=x.device)
    y[..., ::2] = z.real
    y[..., 1::2] = z.imag
    return y
