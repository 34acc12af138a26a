import torch


def sliding_window_mask(q_len, k_len, window, device=None):
    if window < 1:
        raise ValueError("window must be at least 1")
    mask = torch.zeros(q_len, k_len, dtype=torch.bool, device=device)
    for i in range(q_len):
        position = i + k_len - q_len
        if position < 0:
            continue
        first = max(position - window + 1, 0)
        mask[i, first : position + 1] = True
    return mask
