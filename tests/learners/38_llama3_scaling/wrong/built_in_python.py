import math
import torch

def llama3_scaling(head_dim, base=500000.0, scale=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_len=8192, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    if low_freq_factor >= high_freq_factor:
        raise ValueError("factors")
    new = []
    for j in range(head_dim // 2):
        f = base ** (-2 * j / head_dim)
        rounds = original_max_len * f / (2 * math.pi)
        t = min(1.0, max(0.0, (rounds - low_freq_factor) / (high_freq_factor - low_freq_factor)))
        new.append(t * f + (1 - t) * f / scale)
    return torch.tensor(new, dtype=torch.float32, device=device)
