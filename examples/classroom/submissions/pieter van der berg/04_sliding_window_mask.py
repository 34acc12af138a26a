import functools

import torch


@functools.cache
def _check(window):
    if window < 1:
        raise ValueError("window")


def sliding_window_mask(q_len, k_len, window, device=None):
    _check(window)
    ones = torch.ones(q_len, k_len, dtype=torch.long, device=device)
    key = ones.cumsum(1) - 1
    query = ones.cumsum(0) - 1 + (k_len - q_len)
    return (query - key).clamp(-1, window).remainder(window + 1) < window
