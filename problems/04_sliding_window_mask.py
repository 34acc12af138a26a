"""# Sliding-window mask

A decoder with a sliding window lets each token attend to itself and to the few tokens just before it. The mask says
which keys a query may see: `True` means *may attend*.

There are `k_len` keys, at positions 0 … k_len − 1. The `q_len` queries are the **last** `q_len` of those positions,
as in decoding with a cache: query `i` stands at position `p = i + k_len − q_len`. It may attend to key `j` when `j`
is not in its future and fewer than `window` steps behind it. **The window counts the token itself**, so `window=1`
leaves each token alone with itself. (This is Mistral's and Hugging Face's reading. FlashAttention's left window
size is one smaller.)

For `sliding_window_mask(3, 5, 2)` the queries stand at positions 2, 3 and 4, and each sees itself and one key before:

    key       0      1      2      3      4
    p = 2   False   True   True  False  False
    p = 3   False  False   True   True  False
    p = 4   False  False  False   True   True

- The result is a `bool` tensor of shape `(q_len, k_len)` on `device`.
- A window at least as long as `k_len` gives the plain causal mask.
- With more queries than keys, the first queries stand before key 0 and see nothing: their rows are all `False`.
- A `window` below 1 is a mistake of the caller: raise `ValueError`.
- `q_len` and `k_len` may be 0.
"""

import torch
from torch import Tensor


def sliding_window_mask(q_len: int, k_len: int, window: int, device: torch.device | None = None) -> Tensor:
    """A bool mask of shape (q_len, k_len), True where a query may attend to a key."""
    raise NotImplementedError
