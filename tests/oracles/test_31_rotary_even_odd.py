"""The reference of problem 31 against problem 30's, a product of complex numbers, and the numbers of its statement."""

from pathlib import Path

import torch

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "31")).references["rotary_even_odd"]


def test_is_a_product_of_complex_numbers() -> None:
    """Values and gradients for ids in any order, fewer heads of keys, two bases."""
    torch.manual_seed(0)
    q, k = torch.randn(2, 4, 5, 8, dtype=torch.float64), torch.randn(2, 2, 5, 8, dtype=torch.float64)
    ids = torch.randint(0, 2000, (2, 5))
    for base in (10000.0, 77.7):
        frequency = base ** (-torch.arange(4, dtype=torch.float64) / 4)
        angle = ids[:, None, :, None] * frequency
        for ours, x in zip(REFERENCE(q, k, ids, base), (q, k), strict=True):
            numbers = torch.view_as_complex(x.unflatten(-1, (4, 2)).contiguous())
            theirs = torch.view_as_real(numbers * torch.polar(torch.ones_like(angle), angle)).flatten(-2)
            torch.testing.assert_close(ours, theirs, rtol=1e-10, atol=1e-10)


def test_the_statement_s_example() -> None:
    """Three rows of numbers."""
    x = torch.tensor([1.0, 2.0, 3.0, 4.0]).expand(1, 1, 3, 4)
    want = [[-1.272233, -1.838865, 2.878668, 4.088187], [1, 2, 3, 4], [-1.142640, 1.922076, 2.959851, 4.029799]]
    turned, _ = REFERENCE(x, x, torch.tensor([[3, 0, 1]]))
    torch.testing.assert_close(turned[0, 0], torch.tensor(want, dtype=torch.float64), rtol=0, atol=6e-7)
