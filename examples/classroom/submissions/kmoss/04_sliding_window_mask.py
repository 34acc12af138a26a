import torch


def _checked(window):
    if window < 1:
        raise ValueError(f"bad window {window}")
    return window


def _distance(q_len, k_len, device):
    rows = torch.arange(q_len, device=device) + k_len - q_len
    return rows.view(-1, 1) - torch.arange(k_len, device=device).view(1, -1)


sliding_window_mask = lambda q_len, k_len, window, device=None: torch.isin(
    _distance(q_len, k_len, device), torch.arange(_checked(window), device=device)
)
