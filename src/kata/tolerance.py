"""How far a right answer may be off: functions of what is wanted and of the dtype that must come back."""

from collections.abc import Mapping
from typing import Literal

import torch
from torch import Tensor

from kata.model import Close

EPS: Mapping[torch.dtype, float] = {
    torch.float64: 1e-9,
    torch.float32: 1e-4,
    torch.float16: 2e-3,
    torch.bfloat16: 2e-2,
}
UNIT: Mapping[torch.dtype, float] = {  # what rounding to the nearest costs: half of the spacing just above 1
    torch.float64: 2.0**-53,
    torch.float32: 2.0**-24,
    torch.float16: 2.0**-11,
    torch.bfloat16: 2.0**-8,
}
Pairs = Literal["halves", "neighbours", "vector", "unit"]


def within(tolerances: Mapping[torch.dtype, float] | float | None = None) -> Close:
    """A tolerance of the form e * (1 + |wanted|), with one e for all dtypes or one for each."""
    table = EPS if tolerances is None else tolerances

    def allowed(want: Tensor, dtype: torch.dtype) -> Tensor:
        eps = table if isinstance(table, float) else table.get(dtype, EPS.get(dtype, 0.0))
        return eps * (1.0 + want.abs().double().nan_to_num(0.0, 0.0, 0.0))

    return allowed


def proportional(share: float, least: float = 0.0) -> Close:
    """A tolerance of the form share * |wanted| + least, for numbers that span many powers of ten."""

    def allowed(want: Tensor, dtype: torch.dtype) -> Tensor:
        return share * want.abs().double() + least

    return allowed


def in_float32(close: Close) -> Close:
    """What a tolerance allows in float32, whatever the dtype."""

    def allowed(want: Tensor, dtype: torch.dtype) -> Tensor:
        rough: Tensor = close(want, torch.float32)
        return rough

    return allowed


def rotated(pairs: Pairs = "halves", most: int | None = None, *, parts: int = 1, step64: float = 2.0**-50) -> Close:
    """A tolerance for what comes of angles p·f: a pair's length times what rounding its angle costs at position p.

    Such an angle is off by about p·2⁻²⁴ when it was rounded in float32; 2⁻²¹ leaves room for every sound way to write
    it (float64: `step64`). To that come four roundings of the result itself. p counts along the last axis but one, or
    is `most` for all. Channel i belongs with i + n/2 ("halves") of each of `parts` equal parts, or 2j with 2j + 1
    ("neighbours"); the whole "vector" may count instead of a pair, or nothing but the "unit" circle.
    """

    def allowed(want: Tensor, dtype: torch.dtype) -> Tensor:
        length = _lengths(want.detach().abs().double(), pairs, parts)
        step = step64 if dtype == torch.float64 else 2.0**-21
        positions = torch.arange(want.shape[-2])[:, None] if most is None and want.dim() > 1 else most or 0
        room: Tensor = length * (step * (1 + positions) + 4 * UNIT.get(dtype, UNIT[torch.float32]))
        return room

    return allowed


def _lengths(size: Tensor, pairs: Pairs, parts: int) -> Tensor:
    """For every number that of the pair it belongs to, where a row can be cut into pairs, else its own."""
    if pairs == "unit":
        return torch.ones_like(size)
    n = size.shape[-1] if size.dim() else 0
    if not n or (pairs != "vector" and n % (2 * parts)):
        return size
    cuts: dict[Pairs, tuple[int, ...]] = {
        "vector": (n,),
        "neighbours": (n // 2, 2),
        "halves": (parts, 2, n // parts // 2),
    }
    paired = size.reshape(*size.shape[:-1], *cuts[pairs])
    length: Tensor = torch.linalg.vector_norm(paired, dim=-2 if pairs == "halves" else -1, keepdim=True)
    return length.expand(paired.shape).reshape(size.shape)
