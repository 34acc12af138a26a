"""The reference of problem 30 against torch's own product of complex numbers, and its answer to problem 29's."""

from pathlib import Path

import pytest
import torch

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "30")).references["apply_rotary_embeddings"]
HALVES = track.grader(track.find(ROOT, "29")).references["apply_rotary_pos_emb"]


@pytest.mark.parametrize("size", [(2, 5, 3, 6), (1, 1, 4, 8), (3, 0, 2, 2)])
def test_is_a_product_of_complex_numbers(size: tuple[int, ...]) -> None:
    """Values and gradients, with a table longer than the sequence."""
    torch.manual_seed(0)
    x = torch.randn(size, dtype=torch.float64, requires_grad=True)
    table = torch.randn(size[1] + 2, size[3] // 2, dtype=torch.complex128, requires_grad=True)
    ours = REFERENCE(x, table)
    numbers = torch.view_as_complex(x.reshape(*size[:3], size[3] // 2, 2))
    theirs = torch.view_as_real(numbers * table[: size[1], None]).flatten(3)
    torch.testing.assert_close(ours, theirs, rtol=1e-13, atol=1e-13)
    weights = torch.randn_like(ours)
    for one, other in zip(
        torch.autograd.grad((ours * weights).sum(), (x, table)),
        torch.autograd.grad((theirs * weights).sum(), (x, table)),
        strict=True,
    ):
        torch.testing.assert_close(one, other, rtol=1e-12, atol=1e-12)


def test_is_problem_29_in_another_order_of_channels() -> None:
    """Even channels first, then odd ones, heads before positions: that is rotate-half."""
    x = torch.randn(2, 5, 3, 8, dtype=torch.float64)
    angle = torch.arange(5, dtype=torch.float64)[:, None] * 10000.0 ** (-torch.arange(4, dtype=torch.float64) / 4)
    turned = REFERENCE(x, torch.polar(torch.ones_like(angle), angle))
    order = [0, 2, 4, 6, 1, 3, 5, 7]
    halves = HALVES(x[..., order].transpose(1, 2)).transpose(1, 2)
    torch.testing.assert_close(turned[..., order], halves, rtol=1e-12, atol=1e-12)
