"""# From one rotary layout to the other: a worked answer

## Step by step

1. Refuse an unknown `to` and sizes that leave no whole, even heads.
2. Cut the first axis in three: a head, and inside it two axes that say which pair and which member. Neighbours are
   pairs: the rows of a head run (D/2, 2), the member moving fastest. Halves are (2, D/2): the pair moves fastest.
3. So a conversion is a transposition of the two inner axes. Only how the rows are *cut* depends on `to`.
4. Put the three axes together again. Now the rows really move, and a copy is made.

## Key functions

- `unflatten(0, (h, a, b))` cuts an axis, `flatten(0, 2)` joins axes, and both leave what stands behind alone. That is
  why biases and matrices need no two cases.
- `reshape` never reorders. It is the transposition between two reshapes that does.

## How to recognise the pattern

"Every second one first" is a transposition of (n, 2) to (2, n); its inverse transposes (2, n) to (n, 2). The same
move shuffles channels in groups, turns planes into pixels, and changes «heads first» into «tokens first».

## What to keep in mind

- With D = 4 the order is its own inverse (0 2 1 3): a test with so small a head can't tell the directions apart. Test
  with 6 or more.
- With grouped queries the keys have fewer heads. Converting them with the number of query heads cuts heads in pieces.
- Scores stay because queries *and* keys are reordered alike, and a dot product doesn't mind a common order. Values are
  never turned. Converting them would need the columns of the output projection to follow.
- A layout can't be seen in the numbers. Know it from the code that trained the model.
"""

from torch import Tensor


def rotary_layout_conversion(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """weight of shape (num_heads · D, …), with the rows of each head in the order of the layout `to`."""
    if to not in ("half", "interleaved"):
        raise ValueError(f'to must be "half" or "interleaved", not {to!r}')
    if num_heads < 1 or weight.shape[0] % (2 * num_heads):
        raise ValueError(f"{weight.shape[0]} rows are not {num_heads} heads of an even width")
    pairs = weight.shape[0] // (2 * num_heads)
    inner = (pairs, 2) if to == "half" else (2, pairs)
    return weight.unflatten(0, (num_heads, *inner)).transpose(1, 2).flatten(0, 2)  # (h·D, …)
