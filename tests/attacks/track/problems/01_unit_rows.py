"""# Unit rows

Scale every row of `x` to length `scale`. The input must stay as it is.
"""

from torch import Tensor


def unit_rows(x: Tensor, scale: float = 1.0) -> Tensor:
    """The rows of x (rows, columns), each divided by its length and multiplied by scale."""
    raise NotImplementedError
