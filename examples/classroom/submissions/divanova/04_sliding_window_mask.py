import torch


def sliding_window_mask(q_len, k_len, window, device=None):
    if window < 1:
        raise ValueError("window must be at least 1")
    q = torch.arange(q_len, device=device)[:, None]
    k = torch.arange(k_len, device=device)[None, :]
    return (k <= q) & (q - k < window)
