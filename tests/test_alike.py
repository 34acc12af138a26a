"""Whether two replies come from one mistake: exceptions by their matter, audits by their offences, whole replies."""

import pytest
import torch

from kata.alike import likeness, offences, same, same_exception
from kata.draw import Draw
from kata.gate import Rule
from kata.judge import Exchange
from kata.model import Call, Check, Checking, Line, Raised, Reply, Tier

FACTORY = "torch.{}(…) without device="
SIZES = "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}"


def raised(kind: str, message: str, line: str = "x * y") -> Raised:
    return Raised((kind, "Exception"), message, (Line(3, "f", line),))


def check(tier: Tier = "required") -> Check:
    return Check("values", "Right.", tier, False, 1.0, no_calls)


def no_calls(draw: Draw) -> Checking:
    yield from ()


def exchange(reply: Reply) -> Exchange:
    return Exchange(Call((), {}), reply, None, Rule(torch.float32, False, lambda want, dtype: want.abs() * 1e-6))


@pytest.mark.parametrize(
    ("kind", "one", "other", "alike"),
    [
        ("RuntimeError", SIZES.format(5, 2048, 2), SIZES.format(3, 7, 1), True),
        ("RuntimeError", SIZES.format(5, 4, 3), "Sizes of tensors must match except in dimension 3.", True),
        ("RuntimeError", SIZES.format(5, 4, 3), "einsum(): operands do not broadcast with remapped shapes", True),
        ("RuntimeError", SIZES.format(5, 4, 3), "shape '[2, 3]' is invalid for input of size 7", True),
        ("RuntimeError", SIZES.format(5, 4, 3), "view size is not compatible with input tensor's size", False),
        (
            "RuntimeError",
            "Can't call numpy() on Tensor that requires grad.",
            "a leaf Variable that requires grad",
            False,
        ),
        ("RuntimeError", "a view of a leaf Variable that requires grad", "a leaf Variable that requires grad", True),
        ("RuntimeError", "Expected both inputs to be Half but got BFloat16", '"polar" not implemented for', True),
        ("IndexError", "index 7 is out of bounds for dimension 0", "index out of range in self", True),
        ("IndexError", "Dimension out of range (expected to be in range of [-2, 1])", "index out of range", False),
        ("ZeroDivisionError", "division by zero", "float division by zero", True),
        ("ZeroDivisionError", "division by zero", "integer modulo by zero", True),
        ("ZeroDivisionError", "division by zero", "0.0 cannot be raised to a negative power", False),
        ("TypeError", "can't multiply 3 by 'str'", "can't multiply 4 by 'str'", True),
        ("TypeError", "f() takes 2 positional arguments", "unsupported operand", False),
        ("AttributeError", "no attribute 'view_as_real'", "no attribute 'view_as_complex'", False),
        ("NameError", "name 'cos' is not defined", "name 'cos' is not defined", True),
        ("NameError", "name 'cos' is not defined", "name 'sin' is not defined", False),
    ],
)
def test_exceptions_of_one_kind_are_told_apart_by_their_matter(kind: str, one: str, other: str, alike: bool) -> None:
    assert same_exception(raised(kind, one), raised(kind, other)) is alike
    assert same_exception(raised(kind, other), raised(kind, one)) is alike
    assert not same_exception(raised(kind, one), raised("OSError", other))


@pytest.mark.parametrize("line", ["raise ValueError('no')", "assert x.dim() == 4, 'no'"])
def test_what_code_raises_itself_says_what_its_author_chose(line: str) -> None:
    own, torchs = raised("ValueError", "no", line), raised("ValueError", SIZES.format(1, 2, 3))
    assert same_exception(torchs, own) and same_exception(own, own)  # a mistake that plays what torch does
    assert not same_exception(own, torchs)  # an answer that raises by itself is like nothing that torch does
    assert not same_exception(raised("ValueError", "no", "raised(x)"), torchs)


def test_likeness_is_the_same_text_or_sizes_that_misfit_along_the_same_axis_in_the_same_way() -> None:
    def alike(one: str, other: str) -> int:
        return likeness(*(Reply("raised", raised=raised("RuntimeError", text)) for text in (one, other)))

    assert alike(SIZES.format(5, 9, 2), SIZES.format(5, 9, 2)) == 2
    assert alike(SIZES.format(5, 4096, 2), SIZES.format(5, 2048, 2)) == 1
    assert alike(SIZES.format(5, 4096, 2), SIZES.format(5, 2048, 3)) == 0
    assert alike(SIZES.format(5, 4096, 2), SIZES.format(5, 4, 2)) == 0
    assert alike("out of memory", "out of bounds") == 0
    assert likeness(Reply("value", 1), Reply("value", 1)) == 0


def test_likeness_of_audits_is_the_very_same_calls() -> None:
    zeros, ones = (Reply("value", audit=((FACTORY.format(name), 1),)) for name in ("zeros", "ones"))
    assert likeness(zeros, zeros) == 2 and likeness(zeros, ones) == 0 and likeness(Reply("value"), ones) == 0


@pytest.mark.parametrize(
    ("ours", "theirs", "alike"),
    [
        ((), (), True),
        ((".item()",), (".item()",), True),
        ((".item()", ".cpu()"), (".cpu()",), True),  # an answer may do more than one thing
        ((".cpu()",), (".item()", ".cpu()"), False),  # a mistake explains nothing that did not happen
        ((".item()",), (), False),  # or it would explain without an offence
        ((), (".item()",), False),
        ((".item()",), (".tolist()",), False),
        ((FACTORY.format("zeros"),), (FACTORY.format("arange"),), True),  # one factory is like another
    ],
)
def test_a_mistake_commits_some_of_an_answers_offences_and_no_others(
    ours: tuple[str, ...], theirs: tuple[str, ...], alike: bool
) -> None:
    came, other = (Reply("value", 1, audit=tuple((what, 3) for what in names)) for names in (ours, theirs))
    assert same(exchange(came), other, check()) is alike


def test_offences_are_what_was_done_and_not_where() -> None:
    audit = ((FACTORY.format("ones"), 1), (FACTORY.format("arange"), 2), (".cpu()", 9))
    assert offences(Reply("value", audit=audit)) == {"a factory without device=", ".cpu()"}


def test_whole_replies_are_compared() -> None:
    x = torch.ones(2)
    came = exchange(Reply("value", x))
    assert same(came, Reply("value", x + 1e-8), check())
    assert not same(came, Reply("value", x + 1), check())
    assert not same(came, Reply("raised", raised=raised("ValueError", "")), check())
    assert not same(came, Reply("value", x, changed=("argument 1",)), check())
    assert not same(came, Reply("value", x, state=("threads",)), check())
    assert not same(came, Reply("value", x, gradients=(None,)), check())
    assert same(came, Reply("value", x.double()), check())
    assert not same(came, Reply("value", x.double()), check("craft"))  # there the dtype is what is judged
