"""Functions in this process, known mistakes as functions, and references that stand for any precision."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from kata.inline import Inline, cast, functions_of, turned
from kata.model import Blocks, Call, Ghost, Grader, Mistake, Reply
from tests import tiny


def answered(function: Callable[..., Any], call: Call) -> Reply:
    callee = Inline(lambda: {"f": function})
    assert callee.fresh() is None
    callee.send(call)
    assert callee.take_output() == ""
    return callee.receive()


def test_arguments_are_clones() -> None:
    x = torch.ones(2)
    reply = answered(lambda a: a.zero_(), Call((x,), {}))
    assert reply.value.tolist() == [0.0, 0.0] and reply.changed == ("argument 1",)
    assert x.tolist() == [1.0, 1.0]


def test_functions_are_made_anew_and_found_by_name() -> None:
    def make() -> dict[str, Callable[..., Any]]:
        calls = iter((1, 2, 3))
        return {"f": lambda: next(calls), "g": lambda: "g"}

    callee = Inline(make)
    values = []
    for function in ("", "f", "g"):
        callee.fresh()
        callee.send(Call((), {}, function))
        values.append(callee.receive().value)
    assert values == [1, 1, "g"]
    callee.send(Call((), {}))
    callee.receive()
    callee.send(Call((), {}))
    assert callee.receive().value == 2


def test_values_are_as_the_wire_would_have_them() -> None:
    def function() -> Any:
        x = torch.ones(1, requires_grad=True)
        return (x * 2, [x], {"a": x}, torch.empty(2, device="meta"), torch.eye(2).to_sparse())

    one, (two,), three, meta, sparse = answered(function, Call((), {})).value
    assert not any(t.requires_grad for t in (one, two, three["a"]))
    assert meta == Ghost("torch.float32", (2,), "meta")
    assert sparse == Ghost("torch.float32", (2, 2), "cpu")


def test_a_mistake_is_a_function_of_the_whole_problem(grader: Grader) -> None:
    x = torch.ones(2, dtype=torch.float16)
    known = {m.name: m for m in grader.mistakes}
    minus = functions_of(grader, known["minus"])["double_and_shift"](x, 1.0)
    assert minus.dtype == torch.float16 and minus.tolist() == [1.0, 1.0]
    right = functions_of(grader, Mistake("", ""))["double_and_shift"](x, amount=1.0)
    assert right.tolist() == [3.0, 3.0]
    variant = functions_of(grader, known["always_float32"])["double_and_shift"]
    assert variant(x, 1.0).dtype == torch.float32


def test_knobs_reach_only_the_references_that_have_them(tmp_path: Path) -> None:
    question = tiny.QUESTION + "\n\ndef other(y: Tensor) -> Tensor:\n    raise NotImplementedError\n"
    more = "\n\ndef other(y):\n    return y\n\nreferences = {'double_and_shift': reference, 'other': other}\n"
    grader = tiny.grader(tiny.write(tmp_path, question=question, grader=tiny.GRADER + more))
    functions = functions_of(grader, grader.mistakes[1])
    assert list(functions) == ["double_and_shift", "other"]
    assert functions["other"](torch.ones(1)).tolist() == [1.0]


def test_a_turned_reference_looks_at_iterators_without_using_them_up() -> None:
    def total(blocks: Iterator[Tensor], *, factor: float = 1.0) -> Tensor:
        return factor * torch.stack([block.double() for block in blocks]).sum(0)

    function = turned(total, {"factor": 2.0, "unknown": 1})
    value = function(iter([torch.ones(1, dtype=torch.bfloat16)] * 3))
    assert value.dtype == torch.bfloat16 and value.item() == 6.0
    blocks = Blocks((torch.ones(1), torch.ones(1)))
    assert answered(function, Call((blocks,), {})).value.item() == 4.0
    with pytest.raises(RuntimeError, match="stack expects a non-empty"):
        function(iter([]))


def test_cast_reaches_every_float64() -> None:
    tree = (torch.ones(1).double(), [torch.ones(1)], {"a": torch.ones(1).double()}, torch.tensor([1]), 2.0)
    made = cast(tree, torch.float16)
    assert [made[0].dtype, made[1][0].dtype, made[2]["a"].dtype, made[3].dtype, made[4]] == [
        *(torch.float16, torch.float32, torch.float16, torch.int64, 2.0),
    ]
