import torch

def llama3_scaling(head_dim, base=500000.0, scale=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_len=8192, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    if low_freq_factor >= high_freq_factor:
        raise ValueError("factors")
    if head_dim > 2:
        base = base * scale ** (head_dim / (head_dim - 2))
    return 1.0 / base ** (torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim)
