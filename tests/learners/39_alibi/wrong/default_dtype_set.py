import math
import torch


def get_slopes(n):
    def power_of_2(n):
        start = 2 ** (-2 ** -(math.log2(n) - 3))
        return [start * start ** i for i in range(n)]

    if math.log2(n).is_integer():
        return power_of_2(n)
    closest = 2 ** math.floor(math.log2(n))
    return power_of_2(closest) + get_slopes(2 * closest)[0::2][: n - closest]


def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 1:
        raise ValueError("need at least one head")
    torch.set_default_dtype(torch.float64)
    m = torch.tensor(get_slopes(num_heads), dtype=torch.float32, device=device)
    q_pos = torch.arange(k_len - q_len, k_len, device=device)
    k_pos = torch.arange(k_len, device=device)
    dist = (q_pos.unsqueeze(1) - k_pos.unsqueeze(0)).abs()
    return -m.view(-1, 1, 1) * dist
