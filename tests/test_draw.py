"""Inputs depend on nothing but seed, problem and check."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from kata.draw import Draw
from kata.model import Seeded

DRAWS: dict[str, Callable[[Draw], Any]] = {
    "normal": lambda d: d.normal(2, 3).tolist(),
    "uniform": lambda d: d.uniform(4, low=-1, high=2).tolist(),
    "integers": lambda d: d.integers(0, 100, (5,)).tolist(),
    "integer": lambda d: d.integer(0, 10**9),
    "permutation": lambda d: d.permutation(20).tolist(),
    "mask": lambda d: d.mask(40).tolist(),
    "generator": lambda d: d.generator(),
}


@pytest.mark.parametrize("name", DRAWS)
def test_the_same_place_draws_the_same(name: str) -> None:
    draw = DRAWS[name]
    places = [(0, "p", "c"), (0, "p", "c"), (1, "p", "c"), (0, "q", "c"), (0, "p", "d"), (2**63 - 1, "p", "c")]
    torch.manual_seed(1)
    first, same, *others = [draw(Draw(*place)) for place in places]
    assert first == same
    assert all(other != first for other in others)
    source = Draw(0, "p", "c")
    assert [draw(source), draw(source)] != [first, first]


def test_the_global_state_is_left_alone() -> None:
    before = torch.get_rng_state()
    for draw in DRAWS.values():
        draw(Draw(0, "p", "c"))
    assert torch.equal(torch.get_rng_state(), before)


def test_kinds_and_ranges() -> None:
    draw = Draw(3, "p", "c")
    assert draw.normal(2, 0).shape == (2, 0) and draw.normal().shape == ()
    assert draw.normal(2).dtype == torch.float32
    assert draw.normal(2, dtype=torch.float16).dtype == torch.float16
    uniform = draw.uniform(1000, low=2, high=3)
    assert uniform.dtype == torch.float32 and uniform.min() >= 2 and uniform.max() <= 3
    integers = draw.integers(-2, 3, (1000,))
    assert integers.dtype == torch.int64 and sorted(set(integers.tolist())) == [-2, -1, 0, 1, 2]
    assert draw.integers(0, 5).shape == () and type(draw.integer(0, 5)) is int
    assert sorted(draw.permutation(9).tolist()) == list(range(9))
    assert draw.mask(4, 5).dtype == torch.bool
    assert 150 < draw.mask(1000, share=0.2).sum() < 250
    assert type(draw.generator()) is Seeded


def test_half_precision_is_the_same_draw_rounded() -> None:
    one, half = Draw(0, "p", "c").normal(50), Draw(0, "p", "c").normal(50, dtype=torch.float16)
    assert torch.equal(one.half(), half)
