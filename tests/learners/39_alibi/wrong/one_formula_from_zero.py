import torch

def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 1:
        raise ValueError
    slopes = 2.0 ** (-8.0 * torch.arange(num_heads, dtype=torch.float32, device=device) / num_heads)
    q = torch.arange(q_len, device=device) + k_len - q_len
    k = torch.arange(k_len, device=device)
    return -(q[:, None] - k).abs() * slopes[:, None, None]
