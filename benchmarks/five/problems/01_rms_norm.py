"""# RMS norm

Divide every row of `x` by the root of the mean of its squares (plus `eps`), and multiply by `weight`.
"""

from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """x of shape (…, dim), weight of shape (dim,): the normalised x."""
    raise NotImplementedError
