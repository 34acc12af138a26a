import math
import torch

def sinusoidal_positional_encoding(seq_len, d_model, base=10000.0, device=None):
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    pe = torch.zeros(seq_len, d_model, dtype=torch.float32, device=device)
    position = torch.arange(seq_len, dtype=torch.float32, device=device).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float32, device=device) * (-math.log(int(base)) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe
