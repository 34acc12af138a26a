"""# Learned positional embedding: a worked answer

## Step by step

1. Refuse a start below 0 and an end beyond the table, before slicing: slices never complain.
2. `table[start : start + seq]` are the rows, (seq, d_model).
3. `x + rows`: aligned from the right, (seq, d_model) meets (batch, seq, d_model), and broadcasting repeats it for
   every text. Adding float32 to bfloat16 gives float32, so the dtype is put back at the end.

## Key functions

- A slice of rows is a view: nothing is copied, and in the backward pass its gradient is written to the right rows of
  a table of zeros.
- Broadcasting forwards is summing backwards: the rows were repeated along the batch, so their gradient is the sum
  over it.
- `table[positions]` with a tensor of positions does the same for rows in any order, and raises IndexError beyond the
  end.

## How to recognise the pattern

A categorical input with few values (a position, a word, a day of the week) is turned into a vector by looking up a
row. Looking up is a product with one-hot vectors, which is why it has a gradient with respect to the table and none
with respect to the index.

## What it gives, and what it doesn't

- It can learn anything about positions that the data show, with max_len · d_model parameters (2048 × 4096 are 8.4
  million).
- It has no row beyond max_len: longer texts are an error, not a matter of quality.
- Rows of late positions are seen in training only by texts that are that long. If most are short, late rows stay
  close to where they were initialised.
- Nothing ties row p to row p + 1: that neighbours are alike must be learned from data. Sinusoids (problem 26) and
  rotary embeddings (problem 29) have it built in.
"""

from torch import Tensor


def learned_positional_embedding(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """x of shape (batch, seq, d_model) plus the table's rows from start on."""
    seq, max_len = x.shape[1], table.shape[0]
    if start < 0 or start + seq > max_len:
        raise ValueError(f"positions {start} to {start + seq - 1} in a table of {max_len} rows")
    return (x + table[start : start + seq]).to(x.dtype)  # (batch, seq, d_model)
