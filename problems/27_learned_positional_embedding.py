"""# Learned positional embedding

The simplest way to tell a transformer where its tokens stand: keep one trainable vector for each position, and add
it to whatever token stands there. GPT-2, BERT and OPT do this. The vectors are the rows of a table, and training
moves them like any other parameter. There are as many as the table has rows, and no more: such a model has a longest
text.

`x`, shape **(batch, seq, d_model)**, holds embedded tokens. `table`, shape **(max_len, d_model)**, holds one row for
each position. `start` says at which position the first token of `x` stands: 0 for a whole text, or the number of
tokens already read when a text is handled in pieces, as in a conversation with a cache.

You return `x` plus the rows start, start + 1, …, start + seq − 1 of the table: token i of every text gets row start
+ i.

With d_model 2, `start=1`, and

    table    0.1 0.2        x    10 20        result    10.3 20.4
             0.3 0.4             30 40                  30.5 40.6
             0.5 0.6
             0.7 0.8

## What is required

- The result is a new tensor of the shape of `x`; `x` and `table` keep their values.
- The same rows are added to every text of the batch.
- A token without a row is an error of the caller: if `start` is negative, or start + seq is larger than max_len,
  raise `ValueError`. Beware: a slice that reaches beyond the end is silently shorter, and a single row that is left
  over would broadcast over all tokens.
- `seq` may be 0, also with `start` equal to max_len: then nothing is added, and nothing is wrong. `batch` may be 0,
  too.
- Gradients flow to `x` and to the table. A row gets the sum of what arrives at its position over all texts of the
  batch; rows that were not used get zeros.
- `x` and `table` may be transposed, sliced or expanded views.

Look the rows up with what a tensor can do itself. `torch.nn.Embedding` and `torch.nn.functional.embedding` are what
you are building, and are not allowed.

## What is craft

It is shown and recorded, and does not decide whether you pass.

- The result has the dtype of `x`, also when the table has another: the sum is made in the wider of the two and
  rounded once.
- Everything stays on the device of `x`, works under `torch.func.vmap`, and needs no Python loop over positions.
"""

import torch
from torch import Tensor


def learned_positional_embedding(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """x of shape (batch, seq, d_model) plus the table's rows from start on."""
    raise NotImplementedError
