import torch, math

def sinusoidal_positional_encoding(seq_len, d_model, base=10000.0, device=None):
    if d_model % 2: raise ValueError
    e = torch.arange(d_model // 2, dtype=torch.float64, device=device).repeat_interleave(2) * 2 / d_model
    phase = torch.tensor([0.0, math.pi / 2], dtype=torch.float64, device=device).repeat(d_model // 2)
    t = torch.arange(seq_len, dtype=torch.float64, device=device)
    return torch.sin(t.view(-1, 1) / base**e + phase).to(torch.float32)
