import torch
from torch import Tensor


def alibi(num_heads: int, q_len: int, k_len: int, device: torch.device | str | None = None) -> Tensor:
    if num_heads < 1:
        raise ValueError("num_heads")
    c = 2 ** (len(bin(num_heads)) - 3)
    s = [2.0 ** (-8 * (i + 1) / c) for i in range(c)]
    s += [2.0 ** (-4 * (2 * i + 1) / c) for i in range(num_heads - c)]
    m = torch.tensor(s, device=device, dtype=torch.float32).reshape(num_heads, 1, 1)
    line = torch.arange(-(k_len + q_len), k_len + q_len + 1, device=device).abs().to(torch.float32)
    index = (
        torch.arange(k_len, device=device)
        - torch.arange(q_len, device=device)[:, None]
        - (k_len - q_len)
        + (k_len + q_len)
    )
    return line[index].mul(m).neg()
