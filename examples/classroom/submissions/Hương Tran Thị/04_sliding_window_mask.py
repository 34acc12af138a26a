import torch


def sliding_window_mask(q_len, k_len, window, device=None):
    if window < 1:
        raise ValueError("window must be at least 1")
    out = torch.zeros((q_len, k_len), dtype=torch.bool, device=device)
    for row in range(q_len):
        for col in range(k_len):
            behind = row + k_len - q_len - col
            if 0 <= behind < window:
                out[row][col] = True
    return out
