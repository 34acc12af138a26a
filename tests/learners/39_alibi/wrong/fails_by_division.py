import torch

def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 0:
        raise ValueError("negative")
    if num_heads & (num_heads - 1) == 0:
        c = num_heads
    else:
        c = 1 << (num_heads.bit_length() - 1)
    step = 8.0 / c
    exps = [step * (h + 1) for h in range(c)] + [step * (h + 0.5) for h in range(num_heads - c)]
    slopes = 2.0 ** -torch.tensor(exps, dtype=torch.float32, device=device)
    q = torch.arange(k_len - q_len, k_len, device=device)
    return -(q[:, None] - torch.arange(k_len, device=device)).abs() * slopes[:, None, None]
