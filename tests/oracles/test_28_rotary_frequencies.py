"""The reference of problem 28 against torch.polar in float64, and with problem 30 against problem 29."""

from pathlib import Path

import torch

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "28")).references["rotary_frequencies"]
APPLIED = track.grader(track.find(ROOT, "30")).references["apply_rotary_embeddings"]
HALVES = track.grader(track.find(ROOT, "29")).references["apply_rotary_pos_emb"]


def test_is_what_polar_makes() -> None:
    """Several widths, lengths and bases."""
    for head_dim, n, base in ((2, 3, 10000.0), (8, 50, 500000.0), (6, 0, 3.5)):
        frequency = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
        angle = torch.arange(n, dtype=torch.float64)[:, None] * frequency
        torch.testing.assert_close(REFERENCE(head_dim, n, base), torch.polar(torch.ones_like(angle), angle))


def test_applied_it_is_problem_29() -> None:
    """Even channels first, then odd ones, heads before positions: that is rotate-half."""
    x = torch.randn(2, 5, 3, 8, dtype=torch.float64)
    order = [0, 2, 4, 6, 1, 3, 5, 7]
    turned = APPLIED(x, REFERENCE(8, 9, 77.5))
    halves = HALVES(x[..., order].transpose(1, 2), 77.5).transpose(1, 2)
    torch.testing.assert_close(turned[..., order], halves, rtol=1e-12, atol=1e-12)
