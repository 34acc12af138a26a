import math, torch

def sinusoidal_positional_encoding(seq_len, d_model, base=10000.0, device=None):
    if d_model % 2:
        raise ValueError("odd")
    out = []
    for p in range(seq_len):
        row = []
        for i in range(d_model // 2):
            a = p / base ** (2 * i / d_model)
            row += [math.sin(a), math.cos(a)]
        out.append(row)
    return torch.tensor(out, dtype=torch.float32, device=device).reshape(seq_len, d_model)
