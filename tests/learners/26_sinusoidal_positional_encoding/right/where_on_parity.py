import torch

def sinusoidal_positional_encoding(seq_len, d_model, base=10000.0, device=None):
    if d_model % 2:
        raise ValueError("even only")
    c = torch.arange(d_model, device=device)
    rate = base ** (-(c - c % 2).to(torch.float32) / d_model)
    angle = torch.arange(seq_len, device=device).to(torch.float32)[:, None] * rate
    return torch.where(c % 2 == 0, angle.sin(), angle.cos())
