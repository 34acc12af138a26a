"""What is said of a file that answers no problem: what it is, what was looked for, and what to do about it."""

import difflib
import re
from collections.abc import Iterable

from kata import notebook
from kata.errors import Unreadable
from kata.model import Problem
from kata.words import harmless

DEFINED = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)", re.MULTILINE)
SHOWN = 4


def described(name: str, data: bytes, problems: Iterable[Problem]) -> str:
    """A sentence about a file that is no answer, as far as its name and its functions say."""
    known = list(problems)
    return f"{_is(name, data, known)}. {looked_for(known)}. If it is an answer, {_remedy(known)}"


def looked_for(problems: Iterable[Problem]) -> str:
    """The numbers and functions that make a file an answer."""
    wanted = [f"{problem.number} or {problem.functions[0]}" for problem in problems]
    more = f"; and {len(wanted) - 2 * SHOWN} more" if len(wanted) > 2 * SHOWN else ""
    return f"Looked for, as a number in its name or a function in it: {'; '.join(wanted[: 2 * SHOWN])}{more}"


def _remedy(problems: list[Problem]) -> str:
    first = problems[0]
    return f"rename it (as in {first.question.name}), or its function, and run the same command again"


def _is(name: str, data: bytes, problems: list[Problem]) -> str:
    try:
        text = notebook.code(data, name) if name.lower().endswith(".ipynb") else data.decode("utf-8", "replace")
    except Unreadable as wrong:
        return harmless(str(wrong), 300)
    defined = [*dict.fromkeys(DEFINED.findall(text))]
    functions = [function for problem in problems for function in problem.functions]
    known = [function for function in functions if function in defined]
    if known:
        return f"defines {known[0]}, for which another file was taken"
    near = [(one, close[0]) for one in defined if (close := difflib.get_close_matches(one, functions, 1, 0.75))]
    if near:
        return f"defines {near[0][0]}, which is near {near[0][1]} and not the same"
    more = ", …" if len(defined) > SHOWN else ""
    return f"defines {', '.join(defined[:SHOWN])}{more}" if defined else "defines no function"
