import torch

def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 1:
        raise ValueError("heads")
    c = 2 ** (num_heads.bit_length() - 1)
    base = 2.0 ** (-8.0 / c)
    slopes = [base ** k for k in range(1, c + 1)] + [base ** (k + 0.5) for k in range(num_heads - c)]
    slopes = torch.tensor(slopes, dtype=torch.float32, device=device)
    keys = torch.arange(k_len, dtype=torch.float32, device=device)
    return (slopes[:, None, None] * keys[None, None]).expand(num_heads, q_len, k_len)
