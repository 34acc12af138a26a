"""The words that a grader/ file is written in."""

import torch
from torch import Tensor

from kata.author import (
    Checking,
    Draw,
    Failed,
    accepted,
    answering,
    call,
    check,
    given,
    hint,
    mistake,
    question,
    remembering,
    right,
    wrong,
    wrong_choice,
)
from kata.model import Accepted, Call, Choice, Given, Hint, Mistake, Question


@check(points=2, explains=True)
def a_promise(draw: Draw) -> Checking:
    """The first paragraph
    is one line.

    The second is for authors.
    """
    yield call(1)


@check(craft=True)
def silent(draw: Draw) -> Checking:
    yield call(1)


def test_checks() -> None:
    assert (a_promise.name, a_promise.promise) == ("a_promise", "The first paragraph is one line.")
    assert (a_promise.tier, a_promise.explains, a_promise.points) == ("required", True, 2.0)
    assert (silent.tier, silent.points, silent.promise) == ("craft", 0.0, "")
    assert next(a_promise.run(Draw(0, "p", "c"))) == Call((1,), {})


def test_calls() -> None:
    made = call(1, 2, function="g", want=3, under="no_grad", base=4.0)
    assert made == Call((1, 2), {"base": 4.0}, "g", 3, under=("no_grad",))
    assert call(under=("count", "audit")).under == ("count", "audit")
    assert call().under == ()
    assert call(raises=ValueError, whole=True, on="meta") == Call((), {}, raises=ValueError, whole=True, on="meta")


def test_failures_carry_evidence() -> None:
    failed = Failed("no", index=3)
    assert (str(failed), failed.evidence) == ("no", {"index": 3})


def test_mistakes() -> None:
    assert mistake("m", "t", craft=True, family="f", sign=-1) == Mistake("m", "t", "craft", {"sign": -1}, family="f")

    @wrong("Text.", function="g", family="f")
    def variant(x: int) -> int:
        return x

    assert (variant.name, variant.tier, variant.function, variant.family) == ("variant", "required", "g", "f")
    assert variant.make is not None and variant.make()(3) == 3

    @wrong("Text.", craft=True, fresh=True)
    def remembers() -> object:
        seen = iter((1, 2))
        return lambda: next(seen)

    assert remembers.make is not None and remembers.tier == "craft"
    assert [remembers.make()() for _ in range(2)] == [1, 1]


def test_the_rest() -> None:
    def plain(x: int) -> int:
        return x

    assert accepted(plain) == Accepted("plain", plain)
    assert hint("two\n  lines", "a", "b") == Hint("two lines", ("a", "b"))
    assert question("Q?", right("1", "yes"), wrong_choice("2", "no")) == Question(
        "Q?", (Choice("1", "yes", True), Choice("2", "no"))
    )


@given
def doubled(x: float) -> float:
    return 2 * x


def test_given_functions_travel_as_source() -> None:
    assert isinstance(doubled, Given)
    assert doubled == Given("doubled", "@given\ndef doubled(x: float) -> float:\n    return 2 * x\n")


def test_a_reference_that_answers() -> None:
    def reference(factor: float, x: Tensor, *, sign: int = 1) -> Tensor:
        return sign * factor * x.double()

    made = answering(reference)(2.0, torch.ones(2, dtype=torch.bfloat16), sign=-1)
    assert made.dtype == torch.bfloat16 and made.tolist() == [-2, -2]


def test_a_function_with_a_memory() -> None:
    made = remembering(lambda width, base=2.0: width * base, lambda width, *rest, **named: width)
    assert (made(3), made(3, base=5.0), made(4, 5.0), made(4)) == (6.0, 6.0, 20.0, 20.0)
