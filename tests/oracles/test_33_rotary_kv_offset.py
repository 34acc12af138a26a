"""The reference of problem 33 against problem 29's, cut into pieces, and the numbers of its statement."""

from pathlib import Path

import pytest
import torch

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "33")).references["rotary_kv_offset"]
WHOLE = track.grader(track.find(ROOT, "29")).references["apply_rotary_pos_emb"]


@pytest.mark.parametrize("base", [10000.0, 12345.5])
def test_pieces_of_problem_29(base: float) -> None:
    """Every piece of a text is what problem 29 makes of the whole."""
    torch.manual_seed(0)
    x = torch.randn(2, 3, 11, 8, dtype=torch.float64)
    for start, end in ((0, 11), (3, 9), (10, 11), (4, 4)):
        ours = REFERENCE(x[:, :, start:end], start, base)
        torch.testing.assert_close(ours, WHOLE(x, base)[:, :, start:end], rtol=1e-12, atol=1e-12)


def test_the_statement_s_example() -> None:
    """Four rows of numbers."""
    x = torch.tensor([1.0, 2.0, 3.0, 4.0]).expand(1, 1, 2, 4)
    want = [
        [1.0, 2.0, 3.0, 4.0],
        [-1.984111, 1.959901, 2.462378, 4.019800],
        [-3.144039, 1.919605, -0.339143, 4.039197],
        [-1.413353, 1.879118, -2.828857, 4.058191],
    ]
    came = torch.cat([REFERENCE(x)[0, 0], REFERENCE(x, 2)[0, 0]])
    torch.testing.assert_close(came, torch.tensor(want, dtype=torch.float64), rtol=0, atol=6e-7)
