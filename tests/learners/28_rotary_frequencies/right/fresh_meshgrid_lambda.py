import torch

def _build(d, n, base, device):
    if d % 2: raise ValueError("d")
    pos, exp = torch.meshgrid(torch.arange(n, dtype=torch.float32, device=device), torch.arange(0, d, 2, dtype=torch.float32, device=device).div(d), indexing="ij")
    ang = pos / base ** exp
    out = torch.empty(n, d // 2, dtype=torch.complex64, device=device)
    out.real, out.imag = ang.cos(), ang.sin()
    return out

rotary_frequencies = lambda head_dim, max_seq_len, base=10000.0, device=None: _build(head_dim, max_seq_len, base, device)
