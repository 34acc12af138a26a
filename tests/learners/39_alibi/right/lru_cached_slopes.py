import functools, math
import torch

@functools.lru_cache(maxsize=None)
def slopes(n):
    c = 2 ** math.floor(math.log2(n))
    long = [2 ** (-4 * k / c) for k in range(1, 2 * c + 1)]     # for 2c heads
    return tuple(long[1::2] + long[0::2][:n - c])

def alibi(num_heads, q_len, k_len, device=None):
    if num_heads < 1:
        raise ValueError("no heads")
    m = torch.tensor(slopes(num_heads), dtype=torch.float32, device=device)
    rel = torch.arange(k_len, device=device)[None] - torch.arange(k_len - q_len, k_len, device=device)[:, None]
    neg = torch.where(rel > 0, -rel, rel)
    return m[:, None, None] * neg
