"""A learner's file: what is Python, what is written, what fits, and what it raises."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from kata.model import Error
from kata.zygote.source import MODULE, Refused, Source, compiled, explain, load

NAMES = {"f": ["x", "n"], "g": ["y"]}


def source(text: str | bytes, *functions: str) -> Source:
    data = text if isinstance(text, bytes) else text.encode()
    return Source(data, "07_f.py", functions or ("f",), NAMES)


def loaded(text: str | bytes, *functions: str) -> dict[str, Callable[..., Any]]:
    made = source(text, *functions)
    return load(made, compiled(made))


def error(text: str | bytes, *functions: str) -> Error:
    with pytest.raises(Refused) as refused:
        loaded(text, *functions)
    assert str(refused.value) == refused.value.error.message
    return refused.value.error


F = "def f(x, n):\n    return 1\n"


@pytest.mark.parametrize(
    "text",
    [
        F,
        "\ufeff" + F,
        F.replace("\n", "\r\n"),
        F.replace("\n", "\r"),
        "# -*- coding: latin-1 -*-\ns = 'é'\n".encode("latin-1") + F.encode(),
        "f = lambda x, n: 1",
        "def h(x, n): return 1\nf = h",
        "f: object = lambda x, n: 1",
        "class F:\n    def __call__(self, x, n): return 1\nf = F()",
        "from functools import partial\nf = partial(lambda k, x, n: k, 1)",
        "from functools import lru_cache\n@lru_cache\ndef f(x, n): return 1",
        "def f(*args, **kwargs): return 1",
        "def f(x, n=None, more=3): return 1",
        "def f(x, /, n): return 1",
        "def f(x, n, *rest, key=2, **more): return 1",
        "def f(first, n): return 1",  # the first is given by position alone
        "def f(x, n): raise NotImplementedError\nf = lambda x, n: 1",
        "def f(x, n): raise NotImplementedError\ndef f(x, n): return 1",
        "def f(x, n): raise NotImplementedError\nclass f:\n    def __new__(cls, x, n): return 1",
        "class Odd:\n"
        "    def __call__(self, x, n): return 1\n"
        "    @property\n"
        "    def __signature__(self): raise KeyError\n"
        "f = Odd()",
        "if True:\n    def f(x, n): return 1",
        "from __future__ import annotations\ndef f(x: No, n: Such) -> Thing: return 1",
    ],
)
def test_every_callable_of_the_right_name_is_taken(text: str | bytes) -> None:
    function = loaded(text)["f"]
    assert function(1, n=2) == function(1, 2) == 1


def test_several_functions_are_found() -> None:
    assert [f(1) for f in loaded("def g(y): return 2\nf = lambda x, n=0: 1", "f", "g").values()] == [1, 2]


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("def f(:\n", "syntax", 1),
        ("x = 1\n  y = 2\n", "syntax", 2),
        ("def f(x, n):\n\treturn 1\n        return 2\n", "syntax", 3),
        ("x = " + "(" * 300, "syntax", 1),
        ("s = 'é'\n".encode("latin-1"), "syntax", 1),
        ("return 1\n", "syntax", 1),
        ("x = 1\0\n", "not_python", None),
        ("# coding: klingon\n", "not_python", None),
        (b"\x7fELF\0\0", "not_python", None),
        ("x = " + "-" * 200_000 + "1", "not_python", None),
    ],
)
def test_what_is_not_python(text: str | bytes, kind: str, line: int | None) -> None:
    found = error(text)
    assert (found.kind, found.line) == (kind, line)
    assert not found.message.endswith((":", ": "))


def test_a_syntax_error_is_told_in_pythons_words() -> None:
    assert error("x = (1\n").message == "SyntaxError: '(' was never closed\n1 | x = (1\n        ^"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("def f(x):\n\tif x < 0\n\t\treturn 1\n", "2 | if x < 0\n            ^"),
        ("\n\nprint 'x'\n", "3 | print 'x'\n    ^^^^^^^^^"),
        ("x = 1\nreturn x\n", "2 | return x\n    ^^^^^^^^"),
        ("    日本 = 1\n", "1 | 日本 = 1\n    ^"),
        ("日本 = '日本'; x +* 2\n", f"1 | 日本 = '日本'; x +* 2\n{' ' * 22}^"),
        (f"{'x' * 300} +* 2", f"1 | {'x' * 43} +* 2\n{' ' * 49}^"),
        ("x +* " + "y" * 300, f"1 | x +* {'y' * 85}\n       ^"),
    ],
)
def test_the_line_is_quoted_with_a_caret_where_python_sees_the_mistake(text: str, shown: str) -> None:
    """Without its indentation, the part around the mistake of one that is long; wide characters take two columns."""
    assert error(text).message.split("\n", 1)[1] == shown
    assert error("if x:\ny = 1\n").message.startswith("IndentationError: expected an indented block")


@pytest.mark.parametrize(
    "body",
    [
        "raise NotImplementedError",
        "raise NotImplementedError('todo')",
        "pass",
        "...",
        "'''Only words.'''",
        "'''W.'''\n    pass",
    ],
)
def test_an_untouched_stub_is_not_written(body: str) -> None:
    text = f"import math\n\ndef f(x, n):\n    {body}\n"
    assert error(text) == Error("not_written", "f is not written yet", 3)


def test_one_stub_of_two_is_enough() -> None:
    found = error(F + "def g(y): ...\n", "f", "g")
    assert (found.kind, found.message) == ("not_written", "g is not written yet")


@pytest.mark.parametrize("body", ["return None", "raise ValueError", "n = 1", "return NotImplemented"])
def test_what_does_anything_is_written(body: str) -> None:
    assert callable(loaded(f"def f(x, n):\n    {body}\n")["f"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        (" \n\t\n", "the file is empty"),
        ("# f\n", "the file holds no code, only comments"),
        ('"""f"""\n', "the file defines no function named f"),
        ("def h(): pass\nclass C: pass\nimport math", "the file defines no function named f; it defines C, h"),
        ("f = None", "the file defines no function named f"),
        ("f = 3", "f is an int, not a function"),
        ("class K:\n    def f(self, x, n): return 1", "the file defines no function named f; it defines K"),
    ],
)
def test_a_missing_function(text: str, message: str) -> None:
    assert error(text) == Error("missing_function", message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(x): return 1", "f(x) can't be called as f(x, n): got an unexpected keyword argument 'n'"),
        ("def f(): return 1", "f() can't be called as f(x, n): too many positional arguments"),
        ("def f(x, m): return 1", "f(x, m) can't be called as f(x, n): missing a required argument: 'm'"),
        ("def f(x, *, n): return 1", "f(x, *, n) can't be called as f(x, n): too many positional arguments"),
        ("def f(x, n, m): return 1", "f(x, n, m) can't be called as f(x, n): missing a required argument: 'm'"),
        ("def f(x, n, /): return 1", "f(x, n, /) can't be called as f(x, n): "),
        ("def f(x: int, m: str = 'a') -> None: pass; return", "f(x, m=…) can't be called as f(x, n): "),
        ("f = lambda x: 1", "f(x) can't be called as f(x, n): got an unexpected keyword argument 'n'"),
        (
            "from functools import partial\nf = partial(lambda x, n: 1, n=3)",
            "f(x, *, n=…) can't be called as f(x, n): ",
        ),
        (
            "class R:\n    def __repr__(self): raise KeyError\ndef f(x, m=R()): return 1",
            "f(x, m=…) can't be called as ",
        ),
        ("async def f(x, n): return 1", "f is async; a plain function is asked for"),
        ("async def f(x, n): yield 1", "f is async; a plain function is asked for"),
        ("class f: pass", "f() can't be called as f(x, n): "),
    ],
)
def test_a_signature_that_does_not_fit(text: str, message: str) -> None:
    found = error(text)
    assert found.kind == "signature"
    assert found.message.startswith(message)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("import nonesuch\n" + F, "ModuleNotFoundError: No module named 'nonesuch'", 1),
        ("x = 1\ny = x / 0\n" + F, "ZeroDivisionError: division by zero", 2),
        ("def h():\n    raise KeyError('k')\n\nh()\n" + F, "KeyError: 'k'", 2),
        ("raise SystemExit\n" + F, "SystemExit", 1),
        ("raise KeyboardInterrupt\n" + F, "KeyboardInterrupt", 1),
        ("class E(Exception):\n    def __str__(self): raise E\nraise E\n" + F, "E: (its text can't be read: ", 3),
        ("raise ValueError('\\ud800')\n" + F, "ValueError: \\ud800", 1),
        ("exec('1/0')\n" + F, "ZeroDivisionError: division by zero", 1),
    ],
)
def test_a_file_that_raises(text: str, message: str, line: int) -> None:
    found = error(text)
    assert found.kind == "import" and found.line == line
    assert found.message.startswith(message)
    found.message.encode()


def test_every_load_is_a_new_module_without_main() -> None:
    text = "count = [0]\ndef f(x, n):\n    count[0] += 1\n    return count[0]\nif __name__ == '__main__': 1 / 0"
    made = source(text)
    code = compiled(made)
    one, other = load(made, code)["f"], load(made, code)["f"]
    assert (one(1, 1), one(1, 1), other(1, 1)) == (1, 2, 1)
    assert sys.modules[MODULE].__dict__["f"] is other


def test_a_traceback_holds_the_learners_lines_only() -> None:
    text = "import json\ndef h(x):\n    return json.loads(x)\n\ndef f(x, n):\n    return h(x)\n"
    try:
        loaded(text)["f"]("{", 1)
    except ValueError as raised:
        told = explain("07_f.py")(raised)
    assert [(line.number, line.function, line.text) for line in told.lines] == [
        (6, "f", "return h(x)"),
        (3, "h", "return json.loads(x)"),
    ]
    assert told.kinds == ("JSONDecodeError", "ValueError", "Exception", "BaseException")


def test_a_deep_traceback_keeps_the_last_lines() -> None:
    try:
        loaded("def f(x, n):\n    return f(x, n - 1) if n else 1 / 0\n")["f"](0, 100)
    except ZeroDivisionError as raised:
        told = explain("07_f.py")(raised)
    assert len(told.lines) == 8
