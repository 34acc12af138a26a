"""# T5's relative position bias: a worked answer

## Step by step

1. Offsets first: keys' positions as a row minus queries' positions as a column. The queries are the last ones.
2. Split off the side. For both sides a key after the query starts from nb, all others from 0, and the distance is the
   absolute value. For one side the future is clamped away.
3. Two candidates for every distance: itself, and the logarithmic bucket. `torch.where` takes the first below me.
4. The log of a distance below me is never used, but it is computed: clamp to me first, so that no −inf is turned into
   an integer.
5. Look all buckets up at once, `table[buckets]`, which gives (q_len, k_len, heads). Heads go in front, and one axis
   for the batch is put before them.

## Key functions

- `table[buckets]` with an int tensor of any shape: that shape replaces the first axis. Its gradient adds up, for each
  row, what arrives at every entry that used it.
- `.float()` before the division by me: an int divided by an int takes the default dtype.
- `.long()` cuts towards 0, which is rounding down for numbers that are not negative.

## How to recognise the pattern

Sorting many values into few classes, fine where it matters and coarse elsewhere, is done with a logarithm wherever
ratios count more than differences: sound levels, histograms of sizes, distances in a text. Then a table learns one
number for each class, and training decides what the classes mean.

## What to keep in mind

- T5 does not divide its scores by √head_dim. The bias learns its size along with the rest; carried to a model that
  divides, it would be too large.
- Every layer of T5 uses the table of the first one. The bias depends on nothing but lengths, so it is made once a
  pass.
- The float32 formula puts 16, 32 and 64 (whole steps of the logarithm) into the right buckets with the usual sizes.
  That is not a law of nature: with others a rounded quotient can land just below the whole number.
"""

import math

import torch
from torch import Tensor


def t5_relative_position_bias(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    """table of shape (num_buckets, heads), looked up for every offset: (1, heads, q_len, k_len)."""
    nb = table.shape[0] // 2 if bidirectional else table.shape[0]
    me = nb // 2
    if me < 1 or max_distance <= me:
        raise ValueError(f"no buckets can be told for {table.shape[0]} rows and max_distance {max_distance}")
    queries = torch.arange(k_len - q_len, k_len, device=table.device)
    rel = torch.arange(k_len, device=table.device) - queries[:, None]  # (q_len, k_len)
    distance = rel.abs() if bidirectional else (-rel).clamp(min=0)
    steps = torch.log(distance.clamp(min=me).float() / me) / math.log(max_distance / me) * (nb - me)
    buckets = torch.where(distance < me, distance, (me + steps.long()).clamp(max=nb - 1))
    if bidirectional:
        buckets = buckets + nb * (rel > 0)
    return table[buckets].permute(2, 0, 1).unsqueeze(0)  # (1, heads, q_len, k_len)
