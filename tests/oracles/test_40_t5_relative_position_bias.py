"""The reference of problem 40 against T5's own code in transformers, and the thresholds in print."""

import pytest
import torch

from kata import track

pytest.importorskip("transformers")
REFERENCE = track.grader(track.find(track.default_root(), "40")).references["t5_relative_position_bias"]


def buckets(num_buckets: int, q_len: int, k_len: int, bidirectional: bool, max_distance: int) -> torch.Tensor:
    """The buckets that the reference looks up: each row of the table holds its own number."""
    table = torch.arange(num_buckets, dtype=torch.float64)[:, None]
    return REFERENCE(table, q_len, k_len, bidirectional, max_distance)[0, 0].long()


@pytest.mark.parametrize(
    ("num_buckets", "bidirectional", "max_distance"),
    [(32, True, 128), (32, False, 128), (8, True, 20), (16, True, 50), (10, True, 20), (7, False, 33), (12, False, 70)],
)
def test_t5_has_the_same_buckets(num_buckets: int, bidirectional: bool, max_distance: int) -> None:
    from transformers.models.t5.modeling_t5 import T5Attention

    rel = torch.arange(-300, 301)
    theirs = T5Attention._relative_position_bucket(rel, bidirectional, num_buckets, max_distance)
    past = buckets(num_buckets, 1, 301, bidirectional, max_distance)[0]  # offsets −300 … 0
    future = buckets(num_buckets, 301, 1, bidirectional, max_distance)  # the first query stands at −300
    assert past.tolist() == theirs[:301].tolist()
    assert future[:, 0].flip(0).tolist() == theirs[300:].tolist()


def test_thresholds_in_print() -> None:
    """Where the buckets of T5 begin."""
    both = buckets(32, 1, 140, True, 128)[0].flip(0).tolist()
    assert [both.index(b) for b in range(8, 16)] == [8, 12, 16, 23, 32, 46, 64, 91]
    one = buckets(32, 1, 140, False, 128)[0].flip(0).tolist()
    far = [16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]
    assert [one.index(b) for b in range(16, 32)] == far


def test_example_of_the_statement() -> None:
    row = buckets(8, 17, 17, True, 20)[8]
    assert row.tolist() == [3, 3, 2, 2, 2, 2, 2, 1, 0, 5, 6, 6, 6, 6, 6, 7, 7]


def test_gradient_counts_how_often_a_bucket_is_used() -> None:
    table = torch.zeros(8, 2, dtype=torch.float64, requires_grad=True)
    REFERENCE(table, 5, 5, True, 20).sum().backward()
    assert table.grad is not None
    assert table.grad[:, 0].tolist() == [5, 4, 6, 0, 0, 4, 6, 0]
