import torch


def rotary_frequencies(head_dim, max_seq_len, base=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    f = 1.0 / max(base, 1.0) ** (torch.arange(0, head_dim, 2, device=device, dtype=torch.float32) / head_dim)
    a = torch.outer(torch.arange(max_seq_len, device=device, dtype=torch.float32), f)
    return torch.polar(torch.ones_like(a), a)
