import torch

# exponent of the logspace, complex exp
def rotary_frequencies(head_dim, max_seq_len, base=10000.0, device=None):
    n, odd = divmod(head_dim, 2)
    if odd:
        raise ValueError("odd")
    w = torch.pow(torch.tensor(float(base), dtype=torch.float64, device=device), -torch.arange(n, dtype=torch.float64, device=device) / max(n, 1))
    p = torch.arange(max_seq_len, dtype=torch.float64, device=device)
    return torch.exp(torch.complex(torch.zeros_like(p[:, None] * w), p[:, None] * w)).to(torch.complex64)
