import torch


def sliding_window_mask(q_len, k_len, window, device=None):
    positions = torch.arange(q_len) + k_len - q_len
    keys = torch.arange(k_len)
    mask = positions[:, None] - keys[None, :]
    return mask < window and mask >= 0
