import torch
from torch import Tensor


def alibi(num_heads: int, q_len: int, k_len: int, device: torch.device | str | None = None) -> Tensor:
    if num_heads <= 0:
        raise ValueError(num_heads)
    c = 1
    while 2 * c <= num_heads:
        c *= 2
    h = torch.arange(num_heads, device=device, dtype=torch.float32)
    exponent = torch.where(h < c, (h + 1) * (8 / c), (2 * (h - c) + 1) * (8 / (2 * c)))
    rel = torch.arange(k_len, device=device, dtype=torch.float32) - torch.arange(
        k_len - q_len, k_len, device=device, dtype=torch.float32
    ).view(-1, 1)
    return torch.minimum(rel, -rel) * torch.exp2(-exponent).view(-1, 1, 1)
