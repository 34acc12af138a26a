import torch
from torch import Tensor


def sliding_window_mask(q_len: int, k_len: int, window: int, device=None) -> Tensor:
    if window <= 0:
        raise ValueError("window must be positive")
    offset = k_len - q_len
    full = torch.ones((q_len, k_len), dtype=torch.bool, device=device)
    causal = torch.tril(full, diagonal=offset)
    too_old = torch.tril(full, diagonal=offset - window)
    return causal & ~too_old
