import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if freqs_complex.shape[0] < s:
        raise ValueError("too few rows")
    if freqs_complex.shape[1] == 1 and d > 3 or d % 2 == 0 and freqs_complex.shape[1] != d // 2:
        raise ValueError("another width")
    w = torch.promote_types(x.dtype, torch.float32)
    f = freqs_complex[:s, None]
    c, n = f.real, f.imag
    e, o = x[..., 0::2].to(w), x[..., 1::2].to(w)
    return torch.stack([e * c - o * n, e * n + o * c], -1).flatten(-2).to(x.dtype)
