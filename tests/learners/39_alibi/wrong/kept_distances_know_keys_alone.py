import math

import torch
from torch import Tensor


_d = {}


def alibi(num_heads: int, q_len: int, k_len: int, device: torch.device | str | None = None) -> Tensor:
    if num_heads < 1:
        raise ValueError("num_heads")

    def power(n: int) -> list[float]:
        return [2 ** (-8 * (h + 1) / n) for h in range(n)]

    c = 2 ** math.floor(math.log2(num_heads))
    slopes = power(c)
    if c < num_heads:
        slopes += power(2 * c)[0::2][: num_heads - c]
    m = torch.tensor(slopes, device=device, dtype=torch.float32)
    p = torch.arange(q_len, device=device) + (k_len - q_len)
    j = torch.arange(k_len, device=device)
    dist = (p[:, None] - j[None, :]).abs()
    dist = _d.setdefault((k_len, str(device)), dist)[:q_len]
    return -m[:, None, None] * dist
