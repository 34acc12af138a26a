import torch

def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 1:
        raise ValueError("heads")
    m = 1.0 / torch.arange(1, num_heads + 1, dtype=torch.float32, device=device)
    pos = torch.arange(k_len - q_len, k_len, device=device)
    d = (pos[:, None] - torch.arange(k_len, device=device)[None, :]).abs()
    return -m[:, None, None] * d[None, :, :]
