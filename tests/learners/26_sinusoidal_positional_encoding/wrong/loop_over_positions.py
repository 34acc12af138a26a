import math
import torch

def sinusoidal_positional_encoding(seq_len, d_model, base=10000.0, device=None):
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    pe = torch.zeros(seq_len, d_model, dtype=torch.float32, device=device)
    position = torch.arange(seq_len, dtype=torch.float32, device=device).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float32, device=device) * (-math.log(base) / d_model))
    for p in range(seq_len):
        pe[p, 0::2] = torch.sin(position[p] * div_term)
        pe[p, 1::2] = torch.cos(position[p] * div_term)
    return pe
