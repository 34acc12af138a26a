import torch

def rotary_frequencies(head_dim, max_seq_len, base=10000.0, device=None):
    if head_dim % 2 != 0:
        raise ValueError("head_dim must be even")
    inv_freq = 1.0 / (base ** (torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim))
    step = torch.polar(torch.ones_like(inv_freq), inv_freq)
    rows = step.repeat(max_seq_len, 1)
    rows[:1] = 1
    return rows.cumprod(0)
