import torch

def sinusoidal_positional_encoding(seq_len, d_model, base=10000.0, device=None):
    if d_model % 2:
        raise ValueError("even only")
    i = torch.arange(d_model, dtype=torch.float32, device=device)
    angle = torch.arange(seq_len, dtype=torch.float32, device=device)[:, None] / base ** (2 * i / d_model)
    return torch.where(torch.arange(d_model, device=device) % 2 == 0, angle.sin(), angle.cos())
