"""The reference of problem 34 against problem 29's on the slice, and against transformers' GPT-NeoX."""

from pathlib import Path

import pytest
import torch

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "34")).references["partial_rotary"]
HALVES = track.grader(track.find(ROOT, "29")).references["apply_rotary_pos_emb"]


@pytest.mark.parametrize(("head_dim", "rotary_dim"), [(8, 8), (12, 4), (7, 2), (6, 0)])
def test_is_problem_29_on_the_slice(head_dim: int, rotary_dim: int) -> None:
    """The part turned as a head of its own, and the rest behind it."""
    x = torch.randn(2, 3, 9, head_dim, dtype=torch.float64)
    part, rest = x[..., :rotary_dim], x[..., rotary_dim:]
    want = torch.cat([HALVES(part, 77.5) if rotary_dim else part, rest], -1)
    torch.testing.assert_close(REFERENCE(x, rotary_dim, 77.5), want, rtol=1e-12, atol=1e-12)


def test_is_that_of_gpt_neox() -> None:
    """A quarter of 32 channels, as in transformers."""
    pytest.importorskip("transformers")
    neox = pytest.importorskip("transformers.models.gpt_neox.modeling_gpt_neox")
    x = torch.randn(1, 2, 20, 32)
    exponents = torch.arange(0, 8, 2).float() / 8
    angle = torch.outer(torch.arange(20.0), 10000.0**-exponents)
    both = torch.cat([angle, angle], -1)[None]
    theirs, _ = neox.apply_rotary_pos_emb(x, x, both.cos(), both.sin())
    torch.testing.assert_close(REFERENCE(x, 8).float(), theirs, rtol=1e-5, atol=1e-5)
