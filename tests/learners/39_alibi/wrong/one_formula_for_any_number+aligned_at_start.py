import torch

def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 1:
        raise ValueError
    slopes = torch.logspace(-8 / num_heads, -8, num_heads, base=2.0, dtype=torch.float32, device=device)
    d = torch.arange(q_len, device=device)[:, None] - torch.arange(k_len, device=device)
    return -d.abs() * slopes[:, None, None]
