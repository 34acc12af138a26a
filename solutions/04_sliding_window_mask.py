"""# Sliding-window mask: a worked answer

## Step by step

1. Give every query its position among the keys: the queries are the last `q_len` positions, so query `i` stands at
   `i + k_len − q_len`. With a cache this is what makes a single new token see its past instead of key 0 alone.
2. Subtract key positions from query positions: `distance[i, j] = p_i − j`, by broadcasting a column against a row.
3. A key is visible when it is not ahead (`distance ≥ 0`) and not too far behind (`distance < window`).

## Key functions

- `torch.arange(n, device=device)` makes positions where the result will live.
- `positions[:, None] - keys[None, :]` is the table of all distances, without a loop.
- `&` combines two bool tensors; `and` would ask for one truth value and raise.

## How to recognise the pattern

Whenever a rule depends on how far apart two positions are (causal, windowed, block-local, ALiBi, relative bias),
build the distance table first and write the rule on it. One-off errors then show in a single comparison: `<`
against `≤`.
"""

import torch
from torch import Tensor


def sliding_window_mask(q_len: int, k_len: int, window: int, device: torch.device | None = None) -> Tensor:
    """A bool mask of shape (q_len, k_len), True where a query may attend to a key."""
    if window < 1:
        raise ValueError(f"window must be at least 1, not {window}")
    positions = torch.arange(q_len, device=device) + (k_len - q_len)  # (q_len,)
    keys = torch.arange(k_len, device=device)  # (k_len,)
    distance = positions[:, None] - keys[None, :]  # (q_len, k_len)
    return (distance >= 0) & (distance < window)
