"""# ALiBi: a worked answer

## Step by step

1. Write the slopes as exponents of 2. For a power of two c they are −8/c, −16/c, …, −8: equal steps.
2. The list for 2c heads has steps half as wide. Its second, fourth, … exponents are those of c; its first, third,
   fifth, … lie between. So the missing n − c exponents are −4/c, −12/c, −20/c, …: a range with the step of 8/c again,
   begun half a step earlier.
3. Give every query its position, i + k_len − q_len, and subtract the keys' positions. The absolute value
   is the distance.
4. One product by broadcasting, (heads, 1, 1) with (q_len, k_len), and the minus.

## Key functions

- `num_heads.bit_length() - 1` is the whole part of log₂ of a positive int, without any rounding.
- `torch.cat` puts the second range behind the first, unsorted: checkpoints were trained with heads in this order.
- `slopes[:, None, None] * distance` makes an axis for every head.

## How to recognise the pattern

A rule that depends on how far apart two positions are begins with a table of distances; compare problem 4, where the
rule was a comparison, and problem 40, where it looks up a learned number. A bias on the scores costs an addition for
every pair, and any attention that takes an additive mask takes it too.

## What to keep in mind

- It is added *after* the scores are divided by √head_dim; slopes are meant for scores of that size.
- softmax doesn't notice what is added to a whole row. So a causal decoder may use slope · j, the same row for every
  query, instead of −slope · (p − j); that is how BLOOM does it. It is another tensor with the same effect, and only as
  long as a mask hides the future.
- Kept in bfloat16, distances beyond 256 are rounded. The bias is best made in float32 and added to float32 scores.
"""

import torch
from torch import Tensor


def alibi(num_heads: int, q_len: int, k_len: int, device: torch.device | str | None = None) -> Tensor:
    """The bias to be added to scores, (num_heads, q_len, k_len): 0 at the query's own position, below 0 elsewhere."""
    if num_heads < 1:
        raise ValueError(f"num_heads must be at least 1, not {num_heads}")
    c = 2 ** (num_heads.bit_length() - 1)  # the largest power of two that is not above num_heads
    even = torch.arange(1, c + 1, dtype=torch.float32, device=device)
    between = torch.arange(num_heads - c, dtype=torch.float32, device=device) + 0.5
    slopes = torch.exp2(-8.0 / c * torch.cat([even, between]))  # (num_heads,)
    positions = torch.arange(q_len, device=device) + (k_len - q_len)
    distance = (positions[:, None] - torch.arange(k_len, device=device)).abs()  # (q_len, k_len)
    return -slopes[:, None, None] * distance
