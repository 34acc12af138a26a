"""The reference of problem 26 against complex exponentials in torch, and with problem 28's table."""

from pathlib import Path

import torch

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "26")).references["sinusoidal_positional_encoding"]
TURNS = track.grader(track.find(ROOT, "28")).references["rotary_frequencies"]


def test_is_the_imaginary_and_the_real_part_of_a_turn() -> None:
    """Several lengths, widths and bases."""
    for n, d, base in ((3, 2, 10000.0), (50, 8, 500000.0), (0, 6, 3.5)):
        angle = torch.arange(n, dtype=torch.float64)[:, None] * base ** (
            -torch.arange(0, d, 2, dtype=torch.float64) / d
        )
        theirs = torch.view_as_real(torch.exp(1j * angle)).flip(-1).flatten(1)
        torch.testing.assert_close(REFERENCE(n, d, base), theirs)
        turns = torch.view_as_real(TURNS(d, n, base)).flip(-1).flatten(1)
        torch.testing.assert_close(REFERENCE(n, d, base), turns)


def test_a_shift_is_one_linear_map() -> None:
    """Row p + k is row p, turned alike for every p."""
    table = REFERENCE(30, 8)
    shift = torch.linalg.lstsq(table[:20], table[7:27]).solution
    torch.testing.assert_close(table[:23] @ shift, table[7:30], rtol=1e-9, atol=1e-6)
