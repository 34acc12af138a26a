import math
import torch

def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 1:
        raise ValueError("heads")
    n2 = 2 ** math.ceil(math.log2(num_heads))
    slopes = torch.tensor([2 ** (-8 * (h + 1) / n2) for h in range(num_heads)], dtype=torch.float32, device=device)
    q = torch.arange(q_len, device=device) + (k_len - q_len)
    k = torch.arange(k_len, device=device)
    return -slopes[:, None, None] * (q[:, None] - k[None]).abs()
