"""The reference of problem 41 against two rotary embeddings of problem 29, cmath, and the numbers of its statement."""

import cmath
from pathlib import Path

import pytest
import torch

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "41")).references["rotary_2d"]
ONE_AXIS = track.grader(track.find(ROOT, "29")).references["apply_rotary_pos_emb"]


@pytest.mark.parametrize(("height", "width"), [(3, 5), (5, 2), (4, 4), (1, 6)])
def test_two_heads_of_problem_29(height: int, width: int) -> None:
    """Each half of a head is a head of its own, with the lines or the columns of the image as its texts."""
    torch.manual_seed(0)
    x = torch.randn(2, 3, height * width, 12, dtype=torch.float64)
    rows, columns = x.unflatten(2, (height, width)).chunk(2, -1)
    down = ONE_AXIS(rows.movedim(3, 0).flatten(0, 1), 50.0).unflatten(0, (width, 2)).movedim(0, 3)
    along = ONE_AXIS(columns.movedim(2, 0).flatten(0, 1), 50.0).unflatten(0, (height, 2)).movedim(0, 2)
    want = torch.cat([down, along], -1).flatten(2, 3)
    torch.testing.assert_close(REFERENCE(x, height, width, 50.0), want, rtol=1e-12, atol=1e-12)


def test_cmath() -> None:
    """Row by row, column by column, pair by pair."""
    x = torch.randn(1, 1, 15, 8, dtype=torch.float64)
    came = REFERENCE(x, 3, 5)
    for row in range(3):
        for column in range(5):
            for part, place in enumerate((row, column)):
                for j in range(2):
                    at = 4 * part + j
                    token = 5 * row + column
                    z = complex(x[0, 0, token, at], x[0, 0, token, at + 2]) * cmath.exp(
                        1j * place * 10000.0 ** (-j / 2)
                    )
                    assert abs(z - complex(came[0, 0, token, at], came[0, 0, token, at + 2])) < 1e-12


def test_the_statement_s_example() -> None:
    """Six tokens on a grid of 2 by 3."""
    zero, one, two = (1.0, 0.0), (0.540302, 0.841471), (-0.416147, 0.909297)
    want = [[*row, *column] for row in (zero, one) for column in (zero, one, two)]
    came = REFERENCE(torch.tensor([1.0, 0.0, 1.0, 0.0]).expand(1, 1, 6, 4), 2, 3)[0, 0]
    torch.testing.assert_close(came, torch.tensor(want, dtype=torch.float64), rtol=0, atol=6e-7)
