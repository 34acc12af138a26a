# every turn written as one block-diagonal matrix
import torch

def apply_rotary_embeddings(x, freqs_complex):
    b, s, h, d = x.shape
    if d % 2 == 1 or freqs_complex.size(0) < s or freqs_complex.size(1) != d // 2:
        raise ValueError("no")
    w = torch.float64 if x.dtype == torch.float64 else torch.float32
    f = freqs_complex[:s]
    c, n = f.real.to(w).repeat_interleave(2, 1), f.imag.to(w)
    lower = torch.stack([n, torch.zeros_like(n)], -1).flatten(1)[:, : d - 1]
    m = torch.diag_embed(c) + torch.diag_embed(lower, offset=-1) - torch.diag_embed(lower, offset=1)
    return torch.einsum("sij,bshj->bshi", m, x.to(w)).to(x.dtype)
