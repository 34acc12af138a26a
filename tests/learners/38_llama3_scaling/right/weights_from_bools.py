import math, torch

def llama3_scaling(head_dim, base=500000.0, scale=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_len=8192, device=None):
    if head_dim % 2 != 0: raise ValueError("odd")
    if low_freq_factor >= high_freq_factor: raise ValueError("low/high")
    j = torch.arange(0, head_dim, 2, device=device).float() / head_dim
    omega = torch.exp(-j * math.log(base))
    lam = 2 * math.pi / omega
    keep = (lam < original_max_len / high_freq_factor).float()
    cut = (lam > original_max_len / low_freq_factor).float()
    mid = 1 - keep - cut
    t = (original_max_len / lam - low_freq_factor) / (high_freq_factor - low_freq_factor)
    return keep * omega + cut * (omega / scale) + mid * ((1 - t) * omega / scale + t * omega)
