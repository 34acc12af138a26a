"""How far a right answer may be off."""

import pytest
import torch
from torch import Tensor

from kata.author import in_float32, proportional, rotated, within
from kata.model import Close


@pytest.mark.parametrize(
    ("tolerances", "dtype", "allowed"),
    [
        (None, torch.float32, 1e-4),
        (None, torch.float64, 1e-9),
        (None, torch.bfloat16, 2e-2),
        (0.5, torch.float16, 0.5),
        ({torch.float32: 1e-6}, torch.float32, 1e-6),
        ({torch.float32: 1e-6}, torch.float16, 2e-3),
    ],
)
def test_tolerances(tolerances: dict[torch.dtype, float] | float | None, dtype: torch.dtype, allowed: float) -> None:
    want = torch.tensor([0.0, -3.0, torch.inf, torch.nan], dtype=torch.float64)
    assert within(tolerances)(want, dtype).tolist() == pytest.approx([allowed, 4 * allowed, allowed, allowed])
    assert within(tolerances)(want * 1j, dtype)[0].item() == pytest.approx(allowed)


def test_a_share_of_what_is_wanted() -> None:
    allowed = proportional(0.5, 1.0)(torch.tensor([0.0, -4.0]), torch.float16)
    assert allowed.tolist() == [1.0, 3.0] and allowed.dtype == torch.float64


def test_float32_whatever_the_dtype() -> None:
    want = torch.ones(2)
    assert torch.equal(in_float32(within())(want, torch.float64), within()(want, torch.float32))


def lengths(close: Close, want: Tensor, most: int = 0) -> list[float]:
    """The lengths that a tolerance counts with, for positions up to `most`."""
    allowed: Tensor = close(want, torch.float32) / (2.0**-21 * (1 + most) + 2.0**-22)
    return [round(float(value), 6) for value in allowed]


def test_rotations_count_by_the_length_of_a_pair() -> None:
    want = torch.tensor([3.0, 4.0, 4.0, -3.0])
    assert lengths(rotated("halves", 9), want, 9) == [5, 5, 5, 5]
    assert lengths(rotated("neighbours", 9), torch.tensor([3.0, 4.0, 0.0, 1.0]), 9) == [5, 5, 1, 1]
    assert lengths(rotated("halves", 0, parts=2), torch.tensor([3.0, 4.0, 0.0, 1.0])) == [5, 5, 1, 1]
    assert lengths(rotated("vector", 0), torch.tensor([2.0, 4.0, 4.0])) == [6, 6, 6]
    assert lengths(rotated("vector", 0), torch.tensor([1.0, 1.0, 1.0, 1.0])) == [2, 2, 2, 2]
    assert lengths(rotated("unit", 0), want) == [1, 1, 1, 1]


def test_rotations_count_by_position_and_dtype() -> None:
    want = torch.zeros(1, 3, 2) + torch.tensor([3.0, 4.0])
    rows = rotated()(want, torch.float32)[0, :, 1] / 5
    assert rows.tolist() == pytest.approx([2.0**-21 * p + 2.0**-22 for p in (1, 2, 3)], rel=1e-6)
    assert float(rotated(most=2)(want, torch.float32)[0, 0, 0]) == pytest.approx(float(rows[2] * 5), rel=1e-6)
    one = torch.ones(1, dtype=torch.float64)
    assert float(rotated(most=0)(one, torch.bfloat16)) == pytest.approx(2.0**-6 + 2.0**-21)
    assert float(rotated(most=1)(one, torch.float64)) == pytest.approx(2.0**-49 + 2.0**-51)
    assert float(rotated(most=1, step64=1.0)(one, torch.float64)) == pytest.approx(2.0)


@pytest.mark.parametrize("pairs", ["halves", "neighbours", "vector", "unit"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0), (2, 3, 5)])
def test_rotations_of_odd_shapes_are_compared_number_by_number(pairs: str, shape: tuple[int, ...]) -> None:
    assert rotated(pairs)(torch.ones(shape), torch.float32).shape == shape  # type: ignore[arg-type]
