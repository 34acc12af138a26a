import torch


def sliding_window_mask(q_len: int, k_len: int, window: int, device: torch.device | None = None) -> torch.Tensor:
    if window < 1:
        raise ValueError("window must be at least 1")
    ones = torch.ones(q_len, k_len, dtype=torch.bool, device=device)
    return ones.tril().triu(1 - window)
