import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    f = freqs_complex[:s].unsqueeze(1)
    cos, sin = torch.cat([f.real, f.real], -1), torch.cat([f.imag, f.imag], -1)
    x1, x2 = x.chunk(2, -1)
    return (x * cos + torch.cat([-x2, x1], -1) * sin).to(x.dtype)
