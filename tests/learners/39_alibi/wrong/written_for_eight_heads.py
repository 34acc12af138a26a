import torch

def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 1:
        raise ValueError("heads")
    m = 0.5 ** torch.arange(1, num_heads + 1, dtype=torch.float32, device=device)
    q = torch.arange(k_len - q_len, k_len, device=device)
    d = (q[:, None] - torch.arange(k_len, device=device)).abs()
    return -d * m[:, None, None]
