"""Forbidden names: found in the source, and seen when they are called."""

import ast

import pytest
import torch

from kata.zygote.shortcuts import Shortcuts, in_source

FORBIDS = ("torch.nn.functional.softmax", "torch.softmax", "Tensor.softmax", "torch.nn.attention")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import torch\ntorch.softmax(x, 0)", ("torch.softmax", 2)),
        ("import torch as t\nt.softmax(x, 0)", ("torch.softmax", 2)),
        ("import torch.nn.functional as F\nF.softmax(x)", ("torch.nn.functional.softmax", 2)),
        ("from torch.nn import functional as G\nG.softmax(x)", ("torch.nn.functional.softmax", 2)),
        ("from torch.nn.functional import softmax as s\ns(x)", ("torch.nn.functional.softmax", 1)),
        ("import torch\ngetattr(torch, 'softmax')(x)", ("torch.softmax", 2)),
        ("x = 1\nx.softmax(0)", ("Tensor.softmax", 2)),
        ("import torch\ntorch.Tensor.softmax(x, 0)", ("Tensor.softmax", 2)),
        ("import torch\ngetattr(x, 'softmax')(0)", ("Tensor.softmax", 2)),
        ("import torch.nn.attention.bias", ("torch.nn.attention", 1)),
        ("from torch.nn.attention import sdpa_kernel", ("torch.nn.attention", 1)),
    ],
)
def test_a_forbidden_name_is_found(source: str, found: tuple[str, int]) -> None:
    assert found in in_source(ast.parse(source), FORBIDS)


@pytest.mark.parametrize(
    "source",
    [
        "import torch\ntorch.softmin(x)",
        "softmax = 3\nsoftmax + 1",
        "import math as torch_like\ntorch_like.softmax(x)",
        "def softmax(x): return x\nsoftmax(2)",
        "'torch.softmax'",
    ],
)
def test_other_names_are_left_alone(source: str) -> None:
    assert in_source(ast.parse(source), FORBIDS) == ()


def test_nothing_is_looked_for_where_nothing_is_forbidden() -> None:
    assert in_source(ast.parse("import torch\ntorch.softmax(x)"), ()) == ()


def test_a_call_is_seen_however_it_got_its_name() -> None:
    space: dict[str, object] = {"torch": torch}
    exec(compile("\n\ndef f(x):\n    return vars(torch)['soft' + 'max'](x, 0)", "answer.py", "exec"), space)
    with Shortcuts(FORBIDS, "answer.py") as mode:
        torch.softmax(torch.ones(3), 0)  # ours, not the learner's
        space["f"](torch.ones(3))  # type: ignore[operator]
    assert mode.hits == [("torch.softmax", 4)]
