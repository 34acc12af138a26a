"""Only the code of a notebook counts, and no bytes that call themselves one can do harm."""

import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from kata.errors import Unreadable
from kata.notebook import CODE_CAP, extracted, plain


def written(*cells: str, **outputs: object) -> bytes:
    """The bytes of a notebook with these code cells."""
    return json.dumps(new_notebook(cells=[new_code_cell(cell, **outputs) for cell in cells])).encode()


def taken(*cells: str, functions: tuple[str, ...] = ("f",)) -> str:
    """What is taken out of such a notebook."""
    return extracted(written(*cells), functions, "x.ipynb").decode()


MAGIC = [
    ("%matplotlib inline\nx = 1", "pass\nx = 1"),
    ("if x:\n    !rm -rf ~\n", "if x:\n    pass\n"),
    ("%%bash\nrm -rf ~", ""),
    ("%%time\nx = 1", "\nx = 1"),
    ("files = !ls\ntorch?\n?torch\ntorch.*mul*?", "pass\npass\npass\npass"),
    ("!ls\nx = (a\n     % b)", "pass\nx = (a\n     % b)"),
    ("!ls\nx = '('\n%time f()", "pass\nx = '('\npass"),
    ("x = 7 % 3\nok = x != 1  # or is it?\n", "x = 7 % 3\nok = x != 1  # or is it?\n"),
    ('"""Is it?\ntorch?\n%d"""', '"""Is it?\ntorch?\n%d"""'),
    ("%pip install x\nx = 1  # why?", "pass\nx = 1  # why?"),
    ("a = 1\r\nb = 2\rc = 3", "a = 1\nb = 2\nc = 3"),
]


@pytest.mark.parametrize(("cell", "python"), MAGIC, ids=[cell.splitlines()[0] for cell, _ in MAGIC])
def test_what_only_a_notebook_understands(cell: str, python: str) -> None:
    assert plain(cell) == python
    ast.parse(python)


def test_old_macintosh_and_windows_lines_are_lines() -> None:
    assert taken("import a\rdef f():\r    return a\r\nx = 1; y = f") == "import a\n\ndef f():\n    return a\n"


def test_statements_of_one_line_are_told_apart() -> None:
    assert taken("é = 'ß'; import os; f = lambda: é; del os") == "é = 'ß'\n\nf = lambda: é\n"


def test_pictures_and_what_is_hidden_in_metadata_are_not_looked_at() -> None:
    """A picture of any size costs nothing; code of any size is refused."""
    cell = new_code_cell("f = 1", metadata={"f = 2": "f = 3" * CODE_CAP})
    cell["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": {"image/png": "A" * CODE_CAP}}]
    prose = new_markdown_cell("f = 4", attachments={"a.png": {"image/png": "A" * CODE_CAP}})
    assert extracted(json.dumps(new_notebook(cells=[cell, prose])).encode(), ("f",), "x.ipynb") == b"f = 1\n"
    with pytest.raises(Unreadable, match=r"holds 1,0.* characters of code; at most 1,048,576 are read") as told:
        taken("f = 1", "#" * CODE_CAP)
    assert told.value.kind == "too_large"


OLD = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}}
OLD_CELL = {"cell_type": "code", "language": "python", "input": "f = 1", "outputs": [], "collapsed": False}


def test_a_notebook_of_version_3_is_read() -> None:
    data = json.dumps(OLD | {"worksheets": [{"cells": [OLD_CELL], "metadata": {}}]}).encode()
    assert extracted(data, ("f",), "x.ipynb") == b"f = 1\n"


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"cells": 3}', b'{"cells": [1]}', b"\xff", b"[" * 10**6, b'{"nbformat": "\\ud800"}']
)
def test_what_is_no_notebook(data: bytes) -> None:
    with pytest.raises(Unreadable):
        extracted(data, ("f",), "x.ipynb")


HOSTILE = [
    "f = " + "(" * 5000 + ")" * 5000,
    "f = " + "-" * 200_000 + "1",
    "f = " + "1 + " * 100_000 + "1",
    "f = " + "lambda: " * 20_000 + "1",
    "f = x" + ".a" * 200_000,
    "f = 1\n" + " " * 900_000 + "?!",
    "f = 1\n" + "a " * 400_000 + "= %",
    "f = '\ud800'",
    "f = '\0'",
    "f = a0\n" + "\n".join(f"a{n} = a{n + 1}" for n in range(8_000)),
    "f = 1;" * 20_000,
    "f = 1\nnonlocal g",
]


@pytest.mark.parametrize("cell", HOSTILE, ids=[cell[:24] for cell in HOSTILE])
def test_nothing_in_a_cell_can_hurt_or_hold_up(cell: str) -> None:
    """Depth, length and strange characters end in a source for the sandbox or in a refusal."""
    try:
        assert b"f = " in extracted(written(cell), ("f",), "x.ipynb")
    except Unreadable as wrong:
        assert wrong.kind in ("missing_function", "unreadable", "too_large")


@given(st.binary(max_size=200) | st.text(max_size=100).map(written))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    try:
        extracted(data, ("f",), "x.ipynb")
    except Unreadable as wrong:
        assert wrong.kind in ("unreadable", "missing_function")
