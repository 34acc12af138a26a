import math, torch
def llama3_scaling(head_dim, base=500000.0, scale=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_len=8192, device=None):
    if head_dim % 2 or low_freq_factor >= high_freq_factor: raise ValueError("x")
    f = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim)
    r = original_max_len * f / (2*math.pi)
    # integer wavelengths / rounds
    r = torch.floor(r)
    t = ((r-low_freq_factor)/(high_freq_factor-low_freq_factor)).clamp(0,1)
    return f/scale*(1-t)+f*t
