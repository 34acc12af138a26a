import torch


def sliding_window_mask(q_len, k_len, window, device=None):
    if window < 1:
        raise ValueError("window must be >= 1")
    q = torch.arange(k_len - q_len, k_len, device=device).unsqueeze(1)
    k = torch.arange(k_len, device=device).unsqueeze(0)
    return (k <= q) & (k > q - window)
