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
    m = get_slopes(num_heads)
    if q_len == 0 or k_len == 0:
        return torch.empty(num_heads, q_len, k_len, dtype=torch.float32, device=device)
    rows = [[[-s * abs(p - j) for j in range(k_len)] for p in range(k_len - q_len, k_len)] for s in m]
    return torch.tensor(rows, dtype=torch.float32, device=device)
