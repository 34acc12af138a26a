import torch

def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 1:
        raise ValueError("heads")
    c = 2 ** (num_heads.bit_length() - 1)
    m = torch.exp2(torch.arange(1, num_heads + 1, dtype=torch.float32, device=device) * (-8 / c))
    q = torch.arange(k_len - q_len, k_len, device=device)
    d = (q[:, None] - torch.arange(k_len, device=device)).abs()
    return -d * m[:, None, None]
