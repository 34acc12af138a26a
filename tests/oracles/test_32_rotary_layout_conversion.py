"""The reference of problem 32 against torch's own channel shuffle, and the numbers of its statement."""

from pathlib import Path

import pytest
import torch
from torch.nn import functional as F

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "32")).references["rotary_layout_conversion"]


@pytest.mark.parametrize(("heads", "width"), [(1, 6), (3, 8), (4, 10)])
def test_agrees_with_channel_shuffle(heads: int, width: int) -> None:
    """Shuffling a head in two groups lets its halves take turns; in D/2 groups it undoes that."""
    weight = torch.randn(heads * width, 7, dtype=torch.float64)
    channels = weight.view(heads, width, 7, 1)
    for to, groups in (("interleaved", 2), ("half", width // 2)):
        want = F.channel_shuffle(channels, groups).reshape(weight.shape)
        torch.testing.assert_close(REFERENCE(weight, heads, to), want, rtol=0, atol=0)


def test_the_statement_s_example() -> None:
    """Twelve rows that hold their own numbers."""
    rows = torch.arange(12.0)
    assert REFERENCE(rows, 2, "half").tolist() == [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]
    assert REFERENCE(rows, 2, "interleaved").tolist() == [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]
