import torch

KEEP = {}

def apply_rotary_embeddings(x, freqs_complex):
    b, s, h, d = x.shape
    if d % 2 or freqs_complex.shape[0] < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    w = torch.promote_types(x.dtype, torch.float32)
    z = torch.view_as_complex(x.to(w).unflatten(-1, (d // 2, 2)).contiguous())
    if (s, d, w, x.device, freqs_complex.dtype) not in KEEP:
        KEEP[s, d, w, x.device, freqs_complex.dtype] = freqs_complex[:s, None]
    f = KEEP[s, d, w, x.device, freqs_complex.dtype]
    return torch.view_as_real(z * f).flatten(-2).type_as(x)
