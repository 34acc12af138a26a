import torch


def slope_list(n):
    c = 1 << (n.bit_length() - 1)
    own = [2.0 ** (-8 * (i + 1) / c) for i in range(c)]
    return own + [2.0 ** (-4 * (2 * i + 1) / c) for i in range(n - c)]


def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 1:
        raise ValueError("at least one head is needed")
    torch.set_default_dtype(torch.float32)
    slopes = torch.tensor(slope_list(num_heads), device=device)
    queries = torch.arange(q_len, device=device) + k_len - q_len
    keys = torch.arange(k_len, device=device)
    return -slopes[:, None, None] * (queries[:, None] - keys).abs()
