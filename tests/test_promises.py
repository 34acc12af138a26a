"""Parts of checks that most problems share."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from kata.author import (
    Checking,
    Draw,
    Failed,
    apart,
    call,
    exact_in_float64,
    first_true,
    inputs_kept,
    no_loop_over,
    nothing_noted,
    on_one_device,
    settings_ignored,
    settings_kept,
    within,
)
from kata.model import Call
from kata.zygote.perform import perform, plain, reset


def driven(part: Checking, answer: Callable[..., Any]) -> list[Call]:
    """Makes the calls of a part of a check on `answer`, without the gate, and returns them."""
    calls = []
    try:
        asked = next(part)
        while True:
            calls.append(asked)
            reply = perform(answer, asked, __file__, plain)
            reset()
            asked = part.send(reply if asked.whole else reply.value)
    except StopIteration:
        return calls


def test_the_first_place() -> None:
    assert first_true(torch.tensor([[False, False], [False, True]])) == (1, 1)
    assert first_true(torch.zeros(2, 3, dtype=torch.bool)) is None and first_true(torch.zeros(0) > 1) is None
    one = torch.tensor([1.0, 2.0, torch.nan])
    assert apart(one, one + 0.5, 0.6) == (2,) and apart(one[:2], one[:2] + 0.5, 0.6) is None
    assert apart(one[:2], one[:2] + 0.5, torch.tensor([1.0, 0.1])) == (1,)


def test_inputs_are_kept() -> None:
    x, y = torch.ones(2), torch.ones(2)
    (made,) = driven(inputs_kept(call(x, y, like=x)), torch.add)
    assert made.whole and made.like is x
    with pytest.raises(Failed, match="the call left y changed"):
        driven(inputs_kept(call(x, y), "x", "y"), lambda x, y: y.zero_())
    with pytest.raises(Failed, match="the call left argument 1 changed"):
        driven(inputs_kept(call(torch.ones(2))), lambda x: x.zero_())
    with pytest.raises(Failed, match="the call left mask changed"):
        driven(inputs_kept(call(x, mask=torch.ones(2)), "x"), lambda x, mask: mask.zero_())


def test_settings_are_kept() -> None:
    assert len(driven(settings_kept(call(1)), lambda x: x)) == 1

    def careless(x: int) -> Tensor:
        torch.set_default_dtype(torch.float64)
        return torch.rand(x)

    with pytest.raises(Failed, match="the call left torch's default dtype and random state changed"):
        driven(settings_kept(call(1)), careless)


def test_settings_of_the_caller_are_tried() -> None:
    seen = set()

    def answer(x: int) -> None:
        seen.add((torch.get_default_dtype(), torch.is_autocast_enabled("cpu")))

    driven(settings_ignored(call(1)), answer)
    assert seen == {(torch.float32, True), (torch.bfloat16, False), (torch.float64, False)}


def test_what_leaves_the_device_is_told_with_its_line() -> None:
    with pytest.raises(Failed, match=r"line \d+: ") as failed:
        driven(nothing_noted(call(torch.ones(1), under="audit")), lambda x: x + torch.zeros(1) + x.item())
    assert len(failed.value.evidence["lines"]) == 2


def test_devices() -> None:
    def answer(n: int, device: str | None = None) -> Tensor:
        return torch.zeros(n, device=device)

    cold, warm = Draw(0, "p", "c"), Draw(0, "p", "c", warm=True)
    asked = call(3, device="cpu", want=answer)
    assert len(driven(on_one_device(cold, asked, torch.zeros(3)), answer)) == 1
    assert len(driven(on_one_device(warm, asked), answer)) == 1
    _, meta = driven(on_one_device(warm, asked, torch.zeros(3)), answer)
    assert (meta.on, meta.kwargs["device"], meta.want, meta.like.shape) == ("meta", "meta", None, (3,))
    with pytest.raises(Failed, match="line"):
        driven(on_one_device(cold, asked), lambda n, device: torch.zeros(n))


def test_loops() -> None:
    def looped(x: Tensor) -> Tensor:
        return torch.stack([row + 1 for row in x.unbind()])

    sizes = {n: call(torch.ones(n, 2)) for n in (4, 8)}
    assert [made.args[0].shape[0] for made in driven(no_loop_over("rows", sizes, least=1), torch.neg)] == [4, 8]
    with pytest.raises(Failed, match=r"6 torch calls for 4 rows, 10 for 8: a loop runs over rows"):
        driven(no_loop_over("rows", sizes), looped)
    driven(no_loop_over("rows", sizes, spare=4), looped)
    with pytest.raises(Failed, match=r"0 torch calls for 8 rows: Python does the work"):
        driven(no_loop_over("rows", sizes, least=1), lambda x: x)


def test_float64() -> None:
    def reference(x: Tensor) -> Tensor:
        return x.double().exp()

    x, close = torch.linspace(0, 1, 5, dtype=torch.float64), within()
    rough, exact = driven(exact_in_float64(call(x, want=reference), close), torch.exp)
    assert rough.within is not None and rough.within(x, torch.float64)[0] == pytest.approx(1e-4)
    assert exact.within is close
    with pytest.raises(Failed, match=r"only as good as float32: off by up to \d\.?\d?e-0[78]"):
        driven(exact_in_float64(call(x, want=reference), close), lambda x: x.float().exp().double())

    def pair(x: Tensor) -> tuple[Tensor, Tensor]:
        return x.double(), reference(x)

    assert len(driven(exact_in_float64(call(x, want=pair), close), pair)) == 2
    with pytest.raises(Failed, match="only as good as float32"):
        driven(exact_in_float64(call(x, want=pair), close), lambda x: (x, x.float().exp().double()))
