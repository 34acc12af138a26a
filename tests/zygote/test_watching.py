"""Counts and audits, with the learner's own lines."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from kata.zygote.watching import WRITTEN_OUT, Audit, Count

FILE = "answer.py"


def compiled(body: str) -> Callable[..., Any]:
    space: dict[str, Any] = {"torch": torch}
    exec(compile(f"def f(x):\n    {body}\n", FILE, "exec"), space)
    return space["f"]  # type: ignore[no-any-return]


def audited(body: str, x: Tensor | None = None) -> list[tuple[str, int]]:
    audit = Audit(FILE)
    with audit:
        compiled(body)(torch.ones(2) if x is None else x)
    return audit.hits


@pytest.mark.parametrize(
    ("body", "hit"),
    [
        ("torch.arange(3)", "torch.arange(…) without device="),
        ("torch.tensor([1.0, 2.0])", "torch.tensor(…) without device="),
        ("torch.zeros(2, dtype=torch.float64)", "torch.zeros(…) without device="),
        ("torch.full((2,), 1.0)", "torch.full(…) without device="),
        ('torch.zeros(2, device="cpu")', WRITTEN_OUT),
        ('torch.arange(2, device=torch.device("cpu"))', WRITTEN_OUT),
        ('torch.arange(2, device="cpu").to(x.device)', WRITTEN_OUT),  # made there, wherever it goes then
        ('(2 * x).to("cpu")', WRITTEN_OUT),
        ('x.to(torch.float64).to(device="cpu")', WRITTEN_OUT),
        ("x.cpu()", ".cpu()"),
        ("x.tolist()", ".tolist()"),
        ("x.numpy()", ".numpy()"),
        ("x[0].item()", ".item()"),
        ("float(x[0])", "float(tensor)"),
        ("int(x[0])", "int(tensor)"),
        ("bool(x[0])", "a branch on a tensor's value"),
    ],
)
def test_what_leaves_the_device_is_noted_with_its_line(body: str, hit: str) -> None:
    assert audited(body) == [(hit, 2)]


@pytest.mark.parametrize(
    "body",
    [
        "torch.arange(3, device=x.device)",
        "torch.zeros_like(x)",
        "x.new_zeros(3)",
        "torch.tensor(2.0)",  # a single number fits any device
        "x.sum() + x.shape[0] * 2",
        "torch.where(x > 0, x, -x)",
        "torch.zeros(2, device=(2 * x).device)",
        "torch.zeros(2, device=x.device.type + ':0')",
        "torch.zeros(2, device='cpu:0')",  # as a caller may have given it
        "x.new_zeros(2).to(x.device)",
        "torch.arange(2, device=x.device).to(x)",
        "x.to(torch.float64)",
    ],
)
def test_what_stays_is_not(body: str) -> None:
    assert audited(body) == []


def test_lines_are_those_of_the_learners_file_and_each_is_told_once() -> None:
    def ours(x: Tensor) -> Tensor:
        return torch.arange(2)

    with Audit(FILE) as audit:
        ours(torch.ones(1))
        f = compiled("for _ in range(3): torch.arange(2)\n    torch.zeros(2)")
        f(torch.ones(1))
    assert audit.hits == [("torch.arange(…) without device=", 2), ("torch.zeros(…) without device=", 3)]


def test_the_list_of_lines_ends() -> None:
    hits = audited("\n    ".join(["torch.arange(2)"] * 30))
    assert len(hits) == 20


def test_a_count_grows_with_a_loop_and_not_with_length() -> None:
    def calls(body: str, n: int) -> int:
        f, x = compiled(body), torch.ones(n)
        count = Count()
        with count:
            f(x)
        return count.calls

    assert calls("return x.cumsum(0) * 2", 5) == calls("return x.cumsum(0) * 2", 50) == 2
    loop = "for i in range(len(x)): x[i]"
    assert calls(loop, 50) > calls(loop, 5) + 40
