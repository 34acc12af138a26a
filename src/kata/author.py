"""The words that a grader/ file is written in."""

import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from torch import Tensor

from kata.draw import Draw
from kata.model import (
    Accepted,
    Blocks,
    Call,
    Check,
    Checking,
    Choice,
    Close,
    Given,
    Hint,
    Mistake,
    Question,
    Reply,
    Tier,
)
from kata.promises import (
    Failed,
    apart,
    exact_in_float64,
    first_true,
    inputs_kept,
    no_loop_over,
    nothing_noted,
    on_one_device,
    settings_ignored,
    settings_kept,
)
from kata.tolerance import UNIT, in_float32, proportional, rotated, within

__all__ = [
    "UNIT",
    "Blocks",
    "Call",
    "Checking",
    "Close",
    "Draw",
    "Failed",
    "Reply",
    "accepted",
    "answering",
    "apart",
    "call",
    "check",
    "exact_in_float64",
    "first_true",
    "given",
    "hint",
    "in_float32",
    "inputs_kept",
    "mistake",
    "no_loop_over",
    "nothing_noted",
    "on_one_device",
    "proportional",
    "question",
    "remembering",
    "right",
    "rotated",
    "settings_ignored",
    "settings_kept",
    "within",
    "wrong",
    "wrong_choice",
]

Function = Callable[..., Any]


def check(
    *, points: float = 0.0, explains: bool = False, craft: bool = False
) -> Callable[[Callable[[Draw], Checking]], Check]:
    """Makes a generator function a check; the first paragraph of its docstring is the line that the learner reads."""

    def made(run: Callable[[Draw], Checking]) -> Check:
        promise = " ".join((inspect.getdoc(run) or "").split("\n\n")[0].split())
        return Check(run.__name__, promise, "craft" if craft else "required", explains, float(points), run)

    return made


def call(
    *args: Any,
    function: str = "",
    want: Any = None,
    like: Any = None,
    raises: type[BaseException] | None = None,
    cotangent: Any = None,
    under: str | tuple[str, ...] = (),
    on: str = "cpu",
    whole: bool = False,
    within: Close | None = None,
    **kwargs: Any,
) -> Call:
    """A call to be yielded: the arguments of the learner's function, and what is expected of the reply.

    `want` is a value, or a function that gets the judge's own clones of the arguments; `like` asks for shape, dtype and
    finite numbers only; `within` is a tolerance of this call's own; `cotangent` asks for gradients as well; `under`
    names contexts (`zygote/perform.py`); `whole` sends the check the whole Reply.
    """
    names = (under,) if isinstance(under, str) else under
    return Call(args, kwargs, function, want, like, raises, cotangent, names, on, whole, within)


def mistake(name: str, text: str, *, craft: bool = False, family: str = "", **knobs: Any) -> Mistake:
    """A known wrong variant that is a setting of the reference's knobs."""
    return Mistake(name, text, "craft" if craft else "required", knobs, family=family)


def wrong(
    text: str, *, function: str = "", craft: bool = False, family: str = "", fresh: bool = False
) -> Callable[[Function], Mistake]:
    """Makes a function a known wrong variant; with `fresh` the decorated function is called to make one per check."""

    def made(variant: Function) -> Mistake:
        tier: Tier = "craft" if craft else "required"
        make = variant if fresh else lambda: variant
        return Mistake(variant.__name__, text, tier, {}, function, make, family)

    return made


def answering(reference: Function) -> Function:
    """The reference as an answer would be: what it gives, in the dtype of the first tensor. Its knobs can be turned."""

    def answer(*args: Any, **kwargs: Any) -> Any:
        return reference(*args, **kwargs).to(next(arg for arg in args if isinstance(arg, Tensor)).dtype)

    return answer


def remembering(function: Function, key: Function) -> Function:
    """A function that gives again what it once gave where `key` of the arguments is the same: a cache of results."""
    kept: dict[Any, Any] = {}

    def answer(*args: Any, **kwargs: Any) -> Any:
        at = key(*args, **kwargs)
        if at not in kept:
            kept[at] = function(*args, **kwargs)
        return kept[at]

    return answer


def accepted(function: Function) -> Accepted:
    """Marks another right formulation, which must pass every check."""
    return Accepted(function.__name__, function)


def given(function: Function) -> Given:
    """Marks a function that calls hand to the learner; it may use torch, math and nothing else."""
    return Given(function.__name__, textwrap.dedent(inspect.getsource(function)))


def hint(text: str, *answers: str) -> Hint:
    """A step of help; `answers` names the mistakes that it speaks to."""
    return Hint(" ".join(text.split()), answers)


def right(text: str, why: str) -> Choice:
    """The right choice of a question."""
    return Choice(text, why, True)


def wrong_choice(text: str, why: str) -> Choice:
    """A wrong choice of a question, with the reason."""
    return Choice(text, why)


def question(text: str, *choices: Choice) -> Question:
    """A quiz question; exactly one choice is right."""
    return Question(text, choices)
