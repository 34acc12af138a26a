import torch

def rotary_frequencies(head_dim, max_seq_len, base=10000.0, device=None):
    if head_dim % 2 != 0:
        raise ValueError("head_dim must be even")
    inv_freq = 1.0 / (base ** (torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim))
    t = torch.arange(max_seq_len, dtype=torch.float32, device=device)
    rows = []
    for p in range(max_seq_len):
        a = t[p] * inv_freq
        rows.append(torch.polar(torch.ones_like(a), a))
    if not rows:
        return torch.zeros(0, head_dim // 2, dtype=torch.complex64, device=device)
    return torch.stack(rows)
