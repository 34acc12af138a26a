import torch

def sinusoidal_positional_encoding(seq_len, d_model, base=10000.0, device=None):
    if d_model % 2:
        raise ValueError("even only")
    c = torch.arange(d_model, dtype=torch.float32, device=device)
    angle = torch.arange(seq_len, dtype=torch.float32, device=device)[:, None] / base ** (c / d_model)
    angle[:, 0::2] = angle[:, 0::2].sin()
    angle[:, 1::2] = angle[:, 1::2].cos()
    return angle
