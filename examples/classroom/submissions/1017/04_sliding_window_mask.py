import torch


def sliding_window_mask(q_len, k_len, window, device=None):
    window = max(window, 1)
    q = torch.arange(q_len, device=device)[:, None] + (k_len - q_len)
    k = torch.arange(k_len, device=device)[None, :]
    return (k <= q) & (q - k < window)
