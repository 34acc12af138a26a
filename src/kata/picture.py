"""Where values are wrong, in sentences and as a small map: for mistakes that nobody foresaw."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

ROWS, COLUMNS = 16, 32
SHADES = "·░▒▓█"  # right, and wrong by less than 1 %, 10 % and 50 % of a typical right value, or by more
LEAST = (0.01, 0.1, 0.5)


def described(bad: Tensor, axes: Sequence[str] = ()) -> list[str]:
    """Which indices of each axis hold wrong values, where that is not all of them; `axes` names the last ones."""
    names = [f"axis {axis}" for axis in range(bad.dim() - len(axes))] + list(axes)
    return [text for axis, name in enumerate(names) if (text := _axis(bad, axis, name))]


def _axis(bad: Tensor, axis: int, name: str) -> str:
    size = bad.shape[axis]
    others = [other for other in range(bad.dim()) if other != axis]
    wrong = bad.sum(others).bool() if others else bad
    indices = wrong.nonzero().flatten().tolist()
    if size < 2 or len(indices) in (0, size):
        return ""
    name = f"{name} (size {size})"
    if indices == list(range(indices[0], size)):
        return f"along {name} everything before index {indices[0]} is right"
    if indices == list(range(len(indices))):
        return f"along {name} everything from index {len(indices)} on is right"
    shown = ", ".join(map(str, indices[:8])) + (" …" if len(indices) > 8 else "")
    return f"along {name} only indices {shown} are wrong"


def error_map(bad: Tensor, got: Tensor | None = None, want: Tensor | None = None) -> list[str]:
    """How far off values are over the last two axes, as rows of shades; empty where all would have one shade.

    A cell stands for one index of each axis or for a few neighbours; `bad` says what counts as wrong.
    """
    if bad.dim() < 2 or bad.shape[-2] < 2 or bad.shape[-1] < 2 or not bad.any():
        return []
    off = torch.where(bad, _off(got, want) if got is not None and want is not None else 1.0, 0.0)
    small = _pooled(_pooled(off.reshape(-1, *off.shape[-2:]).square().mean(0), ROWS).T, COLUMNS).T.sqrt()
    rows = ["".join(map(_shade, row)) for row in small.tolist()]
    return rows if len(set("".join(rows))) > 1 else []


def _off(got: Tensor, want: Tensor) -> Tensor:
    """Errors as shares of a typical right value; 1 where there is none, or no finite number came."""
    if not (want.is_floating_point() or want.is_complex()):
        return torch.ones(want.shape, dtype=torch.float64)
    sizes = want.abs().double()
    typical = sizes[sizes.isfinite()].square().mean().sqrt()
    return ((got - want).abs().double() / typical).nan_to_num(1.0, 1.0, 1.0)


def _pooled(share: Tensor, most: int) -> Tensor:
    if share.shape[0] <= most:
        return share
    return torch.stack(list(_means(share, most)))


def _means(share: Tensor, most: int) -> Iterator[Tensor]:
    for part in share.tensor_split(most):
        yield part.mean(0)


def _shade(off: float) -> str:
    return SHADES[0] if off == 0 else SHADES[1 + sum(off >= least for least in LEAST)]
