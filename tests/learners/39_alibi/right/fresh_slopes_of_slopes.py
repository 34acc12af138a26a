import torch
from torch import Tensor


def slopes_of(n: int) -> list[float]:
    if n & (n - 1) == 0:
        start = 2.0 ** (-8.0 / n)
        return [start ** (k + 1) for k in range(n)]
    c = 1 << (n.bit_length() - 1)
    return slopes_of(c) + slopes_of(2 * c)[::2][: n - c]


def alibi(num_heads: int, q_len: int, k_len: int, device: torch.device | str | None = None) -> Tensor:
    if num_heads < 1:
        raise ValueError("at least one head")
    s = torch.tensor(slopes_of(num_heads), dtype=torch.float32, device=device)
    q = torch.arange(k_len - q_len, k_len, dtype=torch.float32, device=device)
    k = torch.arange(k_len, dtype=torch.float32, device=device)
    return torch.einsum("h,qk->hqk", -s, torch.abs(q.unsqueeze(1) - k))
