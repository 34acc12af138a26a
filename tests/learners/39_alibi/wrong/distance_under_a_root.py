import torch
from torch import Tensor


def slopes_for(n: int, device) -> Tensor:
    c = 1
    while c * 2 <= n:
        c = c * 2
    head = torch.arange(1, c + 1, device=device, dtype=torch.float32)
    slopes = torch.pow(2.0, -8.0 * head / c)
    extra = n - c
    if extra > 0:
        odd = torch.arange(1, 2 * extra, 2, device=device, dtype=torch.float32)
        slopes = torch.cat([slopes, torch.pow(2.0, -4.0 * odd / c)])
    return slopes


def alibi(num_heads: int, q_len: int, k_len: int, device=None) -> Tensor:
    if num_heads <= 0:
        raise ValueError(f"bad num_heads {num_heads}")
    offset = k_len - q_len
    i = torch.arange(q_len, device=device)[:, None] + offset
    j = torch.arange(k_len, device=device)[None, :]
    distance = torch.abs(i - j).float().sqrt()
    bias = -slopes_for(num_heads, device)[:, None, None] * distance[None]
    return bias
