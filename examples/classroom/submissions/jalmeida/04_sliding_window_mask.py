import torch
import transformers


def sliding_window_mask(q_len, k_len, window, device=None):
    return transformers.make_mask(q_len, k_len, window)
