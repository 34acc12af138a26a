"""Where values are wrong, in sentences and as a small map: for mistakes that nobody foresaw."""

from collections.abc import Iterator

import torch
from torch import Tensor

ROWS, COLUMNS = 16, 32
SHADES = "·░▒▓█"


def described(bad: Tensor) -> list[str]:
    """Which indices of each axis hold wrong values, where that is not all of them; `bad` is a bool tensor."""
    return [text for axis in range(bad.dim()) if (text := _axis(bad, axis))]


def _axis(bad: Tensor, axis: int) -> str:
    size = bad.shape[axis]
    others = [other for other in range(bad.dim()) if other != axis]
    wrong = bad.sum(others).bool() if others else bad
    indices = wrong.nonzero().flatten().tolist()
    if size < 2 or len(indices) in (0, size):
        return ""
    name = f"axis {axis} (size {size})"
    if indices == list(range(indices[0], size)):
        return f"along {name} everything before index {indices[0]} is right"
    if indices == list(range(len(indices))):
        return f"along {name} everything from index {len(indices)} on is right"
    shown = ", ".join(map(str, indices[:8])) + (" …" if len(indices) > 8 else "")
    return f"along {name} only indices {shown} are wrong"


def error_map(bad: Tensor) -> list[str]:
    """The share of wrong values over the last two axes as rows of shaded blocks; empty where it would say nothing."""
    if bad.dim() < 2 or bad.shape[-2] < 2 or bad.shape[-1] < 2 or bool(bad.all()):
        return []
    share = bad.double().reshape(-1, *bad.shape[-2:]).mean(0)
    small = _pooled(_pooled(share, ROWS).T, COLUMNS).T
    return ["".join(_shade(float(value)) for value in row) for row in small]


def _pooled(share: Tensor, most: int) -> Tensor:
    if share.shape[0] <= most:
        return share
    return torch.stack(list(_means(share, most)))


def _means(share: Tensor, most: int) -> Iterator[Tensor]:
    for part in share.tensor_split(most):
        yield part.mean(0)


def _shade(share: float) -> str:
    return SHADES[0] if share == 0 else SHADES[min(4, 1 + int(share * 3.999))]
