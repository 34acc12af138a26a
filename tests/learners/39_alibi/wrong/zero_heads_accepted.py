import torch

def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 0:
        raise ValueError("negative")
    c = 1
    while 2 * c <= num_heads:
        c *= 2
    slopes = [2.0 ** (-8 * h / c) for h in range(1, c + 1)] + [2.0 ** (-4 * h / c) for h in range(1, 2 * c, 2)]
    slopes = torch.tensor(slopes[:num_heads], dtype=torch.float32, device=device)
    q = torch.arange(k_len - q_len, k_len, device=device)
    return -(q[:, None] - torch.arange(k_len, device=device)).abs() * slopes[:, None, None]
