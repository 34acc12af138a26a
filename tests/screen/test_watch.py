"""The line of keys at the bottom of a watch."""

import pytest
from msgspec.structs import replace

from kata import standing
from kata.model import Grader
from kata.progress import Entry
from kata.screen.watch import _footers


@pytest.mark.parametrize("passed", [False, True])
@pytest.mark.parametrize("title", ["Short", "Rotary embeddings, written out for even and odd channels"])
def test_keys_fit_into_any_width(grader: Grader, passed: bool, title: str) -> None:
    """The line gets shorter by leaving words out, never keys."""
    following = standing.standing(replace(grader.problem, title=title), Entry(), {7})
    lines = list(_footers(passed, following))
    widths = [line.cell_len for line in lines]
    assert widths == sorted(widths, reverse=True) and widths[2] < 58 and widths[-1] < 20
    for line in lines:
        assert {"a" if passed else "h", "n", "r", "q"} <= set(line.plain.split())
    assert title in lines[0].plain and "next: 7 " in lines[2].plain
