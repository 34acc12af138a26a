"""# Rotary embeddings as complex numbers: a worked answer

## Step by step

1. Refuse what can't be right: an odd `head_dim`, too few rows, another width. Broadcasting would let a table of one row
   or one column pass.
2. Widen `x` to float32 at least. torch has no complex numbers over bfloat16, and those over float16 are poor.
3. Split the last axis into (head_dim/2, 2): a view, for splitting an axis never moves a number.
4. `torch.view_as_complex` reads the last axis of two as real and imaginary part, (batch, seq, heads, head_dim/2). It
   only reinterprets memory, so the two parts must lie side by side: `contiguous()` copies where they don't and costs
   nothing where they do.
5. Cut the table to its first seq rows and give it an axis for heads: (seq, 1, head_dim/2). Aligned from the right it
   meets (batch, seq, heads, head_dim/2): seq on seq, 1 on heads. Without that axis seq would be laid on heads.
6. Multiply. One product of complex numbers is a turn, and a stretch if the entry is longer than 1.
7. `torch.view_as_real` undoes step 4, `flatten(-2)` undoes step 3, and the dtype is put back.

## Key functions

- `torch.view_as_complex` and `torch.view_as_real` are functions of the module `torch`; tensors have no methods of these
  names (a mistake that is printed in more than one tutorial).
- `x.unflatten(-1, (-1, 2))` splits an axis; `flatten(-2)` joins the last two.
- `dtype.to_complex()` says which complex numbers are made of a real dtype: float32 → complex64.
- `table[:seq, None]` slices rows and inserts an axis at once.

## How to recognise the pattern

Where a rotation in the plane is applied again and again, complex numbers keep the two coordinates together and the
matrix [[cos, −sin], [sin, cos]] becomes one number. Composition is a product, going back is the conjugate:
e^(ia)·e^(ib) = e^(i(a+b)). The same trick moves phases in Fourier transforms and in state space models.

## What to keep in mind

- The interleaved layout (2j, 2j + 1) belongs to this form because `view_as_complex` needs neighbours. Going to the
  halves layout of Hugging Face's Llama is a permutation of the rows of W_q and W_k (problem 32), never of activations.
- `torch.compile` did not fuse complex products well for years, one reason why many codebases write out cosines and
  sines (problem 31).
- A table cut to `[:seq]` starts at position 0. A model with a cache hands over the rows of the new positions instead
  (problem 33).
- Many printed versions multiply by the whole table. That raises an error as soon as a text is shorter than the longest
  one possible; and a single token, seq 1, is silently spread over *all* rows.
"""

import torch
from torch import Tensor


def apply_rotary_embeddings(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """x of shape (batch, seq, heads, head_dim), its channel pairs times the first seq rows of the table."""
    _, seq, _, head_dim = x.shape
    rows, pairs = freqs_complex.shape
    if head_dim % 2:
        raise ValueError(f"head_dim must be even to form pairs, not {head_dim}")
    if rows < seq or pairs != head_dim // 2:
        raise ValueError(f"a table of {rows} × {pairs} for {seq} positions of {head_dim // 2} pairs")
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    numbers = torch.view_as_complex(wide.unflatten(-1, (pairs, 2)).contiguous())  # (batch, seq, heads, pairs)
    turned = numbers * freqs_complex[:seq, None]  # (seq, 1, pairs)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)  # (batch, seq, heads, head_dim)
