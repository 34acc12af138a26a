import math, torch
def llama3_scaling(head_dim, base=500000.0, scale=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_len=8192, device=None):
    if head_dim % 2 or low_freq_factor >= high_freq_factor: raise ValueError("x")
    if head_dim == 2: f = torch.ones(1, dtype=torch.float32, device=device)
    else: f = torch.logspace(0, -(head_dim-2)/head_dim, head_dim//2, base=base, dtype=torch.float64, device=device)
    x = f*original_max_len/math.tau
    t = torch.nn.functional.hardtanh((x-low_freq_factor)/(high_freq_factor-low_freq_factor), 0.0, 1.0)
    return torch.stack([f/scale, f]).mul(torch.stack([1-t, t])).sum(0).to(torch.float32)
