"""Iterators, functions and generators come alive where a call is made."""

import math
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from kata.author import given
from kata.model import Blocks, Given, Seeded, Used
from kata.zygote.arguments import Uses, realise, tensors


@given
def scaled(x: Tensor, by: float = 2.0) -> Tensor:
    return torch.mul(x, by) + math.floor(0.5)


def test_plain_values_stay_and_containers_are_new() -> None:
    value = [1, (None, {"a": torch.ones(1)})]
    made = realise(value, Uses())
    assert made == value and made is not value
    assert made[1][1]["a"] is value[1][1]["a"]  # type: ignore[index]


def test_blocks_can_be_read_once() -> None:
    uses = Uses()
    blocks = realise(Blocks((torch.ones(1), torch.ones(1))), uses)
    assert isinstance(blocks, Iterator)
    assert len(list(blocks)) == 2 and list(blocks) == []
    assert uses.all() == (Used("blocks", 2),)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.complex64, torch.int64, torch.uint8, torch.bool])
def test_a_block_is_spoiled_when_the_next_is_drawn(dtype: torch.dtype) -> None:
    blocks = realise(Blocks((torch.ones(2, dtype=dtype), torch.ones(2, dtype=dtype))), Uses())
    first = next(blocks)
    assert torch.equal(first, torch.ones(2, dtype=dtype))
    second = next(blocks)
    assert not (first == 1).any()
    assert torch.equal(second, torch.ones(2, dtype=dtype))


def test_blocks_of_several_tensors_are_spoiled_together() -> None:
    blocks = realise(Blocks(((torch.ones(1), {"v": torch.ones(1)}), None, (torch.ones(1),))), Uses())
    keys, values = next(blocks)
    assert next(blocks) is None
    assert keys.isnan() and values["v"].isnan()
    assert torch.equal(next(blocks)[0], torch.ones(1))


def test_given_functions_work_are_counted_and_see_torch_and_math_only() -> None:
    uses = Uses()
    function = realise(scaled, uses)
    assert function(torch.ones(1)).item() == 2.0 and function(torch.ones(1), by=3.0).item() == 3.0
    assert uses.all() == (Used("scaled", 2),)
    with pytest.raises(NameError):
        realise(Given("f", "def f(): return pytest"), Uses())()


def test_seeded_generators_begin_in_the_same_state() -> None:
    one, other = realise([Seeded(5), Seeded(5)], Uses())
    assert torch.rand(3, generator=one).tolist() == torch.rand(3, generator=other).tolist()


def test_tensors_are_found_with_their_paths() -> None:
    x, y, z = torch.ones(1), torch.ones(1), torch.ones(1)
    found = list(tensors((x, [1, y], {"a": {2: z}}, Blocks((x,)), None)))
    assert [path for path, _ in found] == ["[0]", "[1][1]", "[2]['a'][2]"]
    assert all(leaf is want for (_, leaf), want in zip(found, (x, y, z), strict=True))
