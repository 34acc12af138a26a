import torch

def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 1:
        raise ValueError("heads")
    c = 2 ** (num_heads.bit_length() - 1)
    m = [1 / 2 ** (8 * (h + 1) // c) for h in range(c)]
    m += [1 / 2 ** (4 * (2 * h + 1) // c) for h in range(num_heads - c)]
    m = torch.tensor(m, dtype=torch.float32, device=device)
    q = torch.arange(k_len - q_len, k_len, device=device)
    return -(q[:, None] - torch.arange(k_len, device=device)).abs() * m[:, None, None]
