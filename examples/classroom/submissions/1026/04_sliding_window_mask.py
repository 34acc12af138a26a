import torch

def sliding_window_mask(q_len, k_len, window, device=None)
    return torch.ones(q_len, k_len)
