"""One call: how it ends, under every context, and what it left changed."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from kata.model import Blocks, Call, Given, Raised, Reply, Seeded, Used
from kata.zygote.perform import perform, plain, reset


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    reset()
    yield
    reset()


def made(
    function: Callable[..., Any],
    *args: Any,
    under: tuple[str, ...] = (),
    on: str = "cpu",
    cotangent: Any = None,
    filename: str = __file__,
    **kwargs: Any,
) -> Reply:
    return perform(function, Call(args, kwargs, cotangent=cotangent, under=under, on=on), filename, plain)


def ones(*shape: int) -> Tensor:
    return torch.ones(shape)


# ── How a call ends ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_value_comes_back_with_nothing_to_remark() -> None:
    assert made(lambda a, b=0: a + b, 1, b=2) == Reply("value", 3)


class Mute(Exception):
    def __str__(self) -> str:
        raise KeyError


class Lying(Exception):
    def __str__(self) -> str:
        return 3  # type: ignore[return-value]


def raising(raised: BaseException) -> Callable[[], None]:
    def function() -> None:
        raise raised

    return function


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (ValueError("no"), Raised(("ValueError", "Exception", "BaseException"), "no")),
        (SystemExit(3), Raised(("SystemExit", "BaseException"), "3")),
        (KeyboardInterrupt(), Raised(("KeyboardInterrupt", "BaseException"), "")),
        (GeneratorExit(), Raised(("GeneratorExit", "BaseException"), "")),
        (Mute(), Raised(("Mute", "Exception", "BaseException"), "(its text can't be read: __str__ raised KeyError)")),
        (
            Lying(),
            Raised(("Lying", "Exception", "BaseException"), "(its text can't be read: __str__ raised TypeError)"),
        ),
        (ValueError("x" * 5000), Raised(("ValueError", "Exception", "BaseException"), "x" * 2000)),
        (ValueError("\ud800"), Raised(("ValueError", "Exception", "BaseException"), "\\ud800")),
        (StopIteration(), Raised(("StopIteration", "Exception", "BaseException"), "")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_exception_is_told(raised: BaseException, told: Raised) -> None:
    reply = made(raising(raised))
    assert (reply.ended, reply.raised, reply.value) == ("raised", told, None)


def test_a_recursion_without_end_is_an_exception() -> None:
    def endless() -> Any:
        return endless()

    reply = made(endless)
    assert reply.raised is not None and reply.raised.kinds[0] == "RecursionError"


def test_uses_are_told_also_of_a_call_that_raises() -> None:
    def draws(blocks: Iterator[Tensor], f: Callable[[], None], generator: torch.Generator) -> None:
        next(blocks)
        f()
        torch.rand(1, generator=generator)
        raise ValueError

    reply = made(draws, Blocks((ones(1), ones(1))), Given("f", "def f(): pass"), Seeded(1))
    assert reply.used == (Used("blocks", 1), Used("f", 1))


# ── Gradients ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_one_gradient_for_each_floating_input() -> None:
    def function(x: Tensor, n: Tensor, y: list[Tensor]) -> tuple[Tensor, int, Tensor]:
        return x * y[0], 3, y[0] * n

    reply = made(function, ones(2), torch.tensor([2, 3]), [ones(2)], cotangent=(ones(2), 0, 10 * ones(2)))
    assert reply.gradients is not None
    assert [g.tolist() for g in reply.gradients] == [[1.0, 1.0], [21.0, 31.0]]
    assert reply.changed == ()


@pytest.mark.parametrize(
    ("function", "gradients"),
    [
        (lambda x, y: x.detach() * y.detach(), (None, None)),
        (lambda x, y: x * 2, ([2.0], None)),
        (lambda x, y: (x * y).tolist(), (None, None)),
        (lambda x, y: None, (None, None)),
        (lambda x, y: x.repeat(2), (None, None)),  # a shape that the cotangent doesn't fit
        (lambda x, y: (x, y), (None, None)),
        (lambda x, y: x, ([1.0], None)),
        (lambda x, y: (x * y).double(), ([1.0], [1.0])),
        (lambda x, y: (x > 0) * 1, (None, None)),
    ],
)
def test_gradients_that_do_not_arrive_are_none(function: Callable[..., Any], gradients: tuple[Any, ...]) -> None:
    came = made(function, ones(1), ones(1), cotangent=ones(1)).gradients
    assert came is not None
    assert tuple(None if g is None else g.tolist() for g in came) == gradients


def test_no_gradients_where_none_are_asked_for() -> None:
    assert made(lambda x: x * 2, ones(1)).gradients is None
    assert made(lambda x: x.requires_grad, ones(1)).value is False
    assert made(lambda x: x.requires_grad, ones(1), cotangent=ones(1)).value is True


def test_a_call_that_leaves_gradients_off_still_has_one() -> None:
    def function(x: Tensor) -> Tensor:
        result = x * 3
        torch.set_grad_enabled(False)
        return result

    reply = made(function, ones(1), cotangent=ones(1))
    assert reply.gradients is not None and reply.gradients[0].tolist() == [3.0]
    assert reply.state == ("grad mode",)


def test_infinities_that_are_right_do_not_spoil_a_gradient() -> None:
    reply = made(lambda x: x.masked_fill(torch.tensor([True, False]), -torch.inf), ones(2), cotangent=ones(2))
    assert reply.gradients is not None and reply.gradients[0].tolist() == [0.0, 1.0]


def test_complex_inputs_have_gradients_too() -> None:
    reply = made(lambda z: (z * z.conj()).real, torch.tensor([1 + 2j]), cotangent=ones(1))
    assert reply.gradients is not None and reply.gradients[0].tolist() == [2 + 4j]


# ── What a call leaves changed ──────────────────────────────────────────────────────────────────────────────────────


def writes(x: Tensor) -> None:
    x[0] = 5


@pytest.mark.parametrize(
    ("function", "args", "changed"),
    [
        (lambda x, y: writes(y), (ones(2), ones(2)), ("argument 2",)),
        (lambda x: writes(x[1]["k"]), ([1, {"k": ones(2)}],), ("argument 1",)),
        (lambda x: x.fill_(1), (ones(2),), ()),  # what was there is there
        (lambda x: x.fill_(float("nan")), (torch.tensor([float("nan")]),), ()),
        (lambda x: x.resize_(3), (ones(2),), ("argument 1",)),
        (lambda x: x.logical_not_(), (torch.tensor([True]),), ("argument 1",)),
        (lambda x: x.zero_(), (torch.zeros(2).fill_(float("inf")),), ("argument 1",)),
        (lambda x: x.t_(), (ones(2, 3),), ("argument 1",)),
        (lambda x: (x.requires_grad_(True), None)[1], (ones(2),), ("requires_grad of argument 1",)),
        (
            lambda x: (x.requires_grad_(True) * 2).sum().backward(),
            (ones(2),),
            (".grad of argument 1", "requires_grad of argument 1"),
        ),
    ],
)
def test_changed_inputs_are_named(
    function: Callable[..., Any], args: tuple[Any, ...], changed: tuple[str, ...]
) -> None:
    assert made(function, *args).changed == changed


def test_changed_keywords_are_named() -> None:
    assert made(lambda *, mask: writes(mask), mask=ones(2)).changed == ("mask",)
    assert made(lambda *, caches: writes(caches[1]), caches=[ones(1), ones(2)]).changed == ("caches",)


def test_inputs_that_share_memory_change_together() -> None:
    base = torch.zeros(3)
    assert made(lambda x, y: writes(x), base[1:], base).changed == ("argument 1", "argument 2")


@pytest.mark.parametrize(
    ("function", "state"),
    [
        (lambda: torch.set_default_dtype(torch.float64), ("default dtype",)),
        (lambda: torch.set_grad_enabled(False), ("grad mode",)),
        (lambda: torch.set_num_threads(2), ("threads",)),
        (lambda: torch.rand(1), ("random state",)),
        (lambda: torch.manual_seed(7), ("random state",)),
        (lambda: torch.set_autocast_enabled("cpu", True), ("autocast",)),
        (lambda: torch.set_default_device("meta"), ("default device",)),
        (lambda: torch.rand(1, generator=torch.Generator().manual_seed(1)), ()),
        (lambda: torch.no_grad().__enter__(), ("grad mode",)),
    ],
)
def test_global_settings_are_watched(function: Callable[..., Any], state: tuple[str, ...]) -> None:
    assert made(function).state == state
    reset()
    assert made(lambda: None).state == ()


def test_settings_are_told_of_a_call_that_raises() -> None:
    def function() -> None:
        torch.set_default_dtype(torch.float64)
        raise ValueError

    assert made(function).state == ("default dtype",)


# ── Contexts ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("under", "probe", "value"),
    [
        ("no_grad", torch.is_grad_enabled, False),
        ("inference_mode", torch.is_inference_mode_enabled, True),
        (
            "autocast",
            lambda: torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else None,
            torch.bfloat16,
        ),
        ("default_float64", torch.get_default_dtype, torch.float64),
        ("default_bfloat16", torch.get_default_dtype, torch.bfloat16),
        ("count", lambda: 1, 1),
        ("audit", lambda: 1, 1),
    ],
)
def test_contexts_are_on_during_the_call_and_off_afterwards(under: str, probe: Callable[[], Any], value: Any) -> None:
    outside = probe()
    reply = made(probe, under=(under,))
    assert reply.value == value and reply.state == ()
    assert probe() == outside


def test_several_contexts_at_once() -> None:
    def probe() -> tuple[bool, torch.dtype]:
        return torch.is_grad_enabled(), torch.get_default_dtype()

    assert made(probe, under=("no_grad", "default_float64")).value == (False, torch.float64)


def test_a_default_dtype_that_the_call_itself_changes_is_not_hidden() -> None:
    reply = made(lambda: torch.set_default_dtype(torch.float16), under=("default_float64",))
    assert reply.state == ("default dtype",)


@pytest.mark.parametrize("under", ["default_float64", "default_bfloat16"])
def test_a_call_that_sets_our_own_default_dtype_within_another_is_seen(under: str) -> None:
    """Outside of the context float32 is what was there before; to the caller inside it is a change all the same."""

    def sets_and_raises() -> None:
        torch.set_default_dtype(torch.float32)
        raise ValueError

    assert made(lambda: torch.set_default_dtype(torch.float32), under=(under,)).state == ("default dtype",)
    assert made(sets_and_raises, under=(under,)).state == ("default dtype",)
    assert made(lambda: torch.ones(1), under=(under,)).state == ()


def test_vmap_takes_the_batch_away() -> None:
    reply = made(lambda x, scale: (x * scale).sum(), ones(3, 2), under=("vmap",), scale=2.0)
    assert reply.value.tolist() == [4.0, 4.0, 4.0]
    assert made(lambda x: 1.0 if x.sum() > 0 else 0.0, ones(3, 2), under=("vmap",)).ended == "raised"


def test_torch_calls_are_counted() -> None:
    assert made(lambda x: x + x * x, ones(2), under=("count",)).torch_calls == 2
    assert made(lambda x: 3, ones(2), under=("count",)).torch_calls == 0
    assert made(lambda x: x + x, ones(2)).torch_calls == -1


def test_the_meta_device_moves_inputs_and_keeps_them_what_they_are() -> None:
    reply = made(lambda x, y, n: (x[0] * 2, y["a"].device.type, n), [ones(2)], {"a": ones(1)}, 3, on="meta")
    value = reply.value
    assert (value[0].device.type, value[1], value[2]) == ("meta", "meta", 3)
    assert reply.changed == ()


def test_gradients_on_the_meta_device() -> None:
    reply = made(lambda x: x * 2, ones(2), on="meta", cotangent=ones(2))
    assert reply.gradients is not None and reply.gradients[0].device.type == "meta"


def test_parameters_and_modules_may_come_back() -> None:
    value = made(lambda: nn.Linear(2, 2).weight).value
    assert isinstance(value, nn.Parameter)
