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


def test_axes_can_have_names() -> None:
    bad = wrong((2, 6, 4), 1, slice(3, None), 2)
    assert described(bad, ["position", "pair"]) == [
        "along axis 0 (size 2) everything before index 1 is right",
        "along position (size 6) everything before index 3 is right",
        "along pair (size 4) only indices 2 are wrong",
    ]


def test_map_shades_how_far_off_values_are() -> None:
    """In shares of a typical right value, over all leading axes; what is not wrong is right, however far off."""
    want = torch.full((2, 2, 5), 4.0)
    got = want + 4 * torch.tensor([[0.0, 0.009, 0.09, 0.4, 3.0], [0.5, 0.5, 0.5, 0.5, torch.nan]])
    bad = got != want
    bad[:, 1, 0] = False
    assert error_map(bad, got, want) == ["·░▒▓█", "·████"]
    assert error_map(bad[1], got[1], want[1]) == ["·░▒▓█", "·████"]
    assert error_map(bad, torch.complex(want, got), torch.complex(want, want))[0][:2] == "·░"


def test_map_of_whole_numbers_or_without_values_says_wrong_or_right() -> None:
    bad = wrong((2, 2, 3), slice(None), 0, 0)
    assert error_map(bad) == error_map(bad, bad.long(), 0 * bad.long()) == ["█··", "···"]


def test_heads_that_are_right_dilute_a_cell() -> None:
    bad = wrong((4, 2, 2), 0, 0, 0)
    assert error_map(bad, bad.double() * 0.8 + 1, torch.ones(4, 2, 2)) == ["▓·", "··"]


@pytest.mark.parametrize("size", [(), (5,), (1, 5), (5, 1), (2, 1, 5)])
def test_no_map_where_it_would_say_nothing(size: tuple[int, ...]) -> None:
    assert error_map(torch.zeros(size, dtype=torch.bool)) == []


def test_no_map_when_everything_is_wrong_alike() -> None:
    assert error_map(torch.ones(3, 4, dtype=torch.bool)) == []
    bad, want = torch.ones(2, 2, dtype=torch.bool), torch.ones(2, 2)
    assert error_map(bad, want + 7, want) == []
    assert error_map(bad, want + torch.tensor([7, 0.2]), want) == ["█▓", "█▓"]


def test_large_maps_are_pooled_and_lose_no_wrong_value() -> None:
    bad = wrong((100, 200), 99, 199)
    rows = error_map(bad)
    assert len(rows) == ROWS and {len(row) for row in rows} == {COLUMNS}
    assert [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != "·"] == [
        (ROWS - 1, COLUMNS - 1)
    ]
