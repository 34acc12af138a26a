"""Only the code of a notebook counts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.classroom.notebook import source
from kata.workspace import Unreadable


def notebook(*cells: object, **more: object) -> bytes:
    return json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells], **more}).encode()


def test_cells_in_order_and_nothing_else() -> None:
    data = json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": "import os"},
                {"cell_type": "code", "source": ["a = 1\n", "b = 2"], "outputs": [{"text": "c = 3"}]},
                {"cell_type": "code", "source": "d = 4", "metadata": {"nbgrader": {"grade": True, "points": 99}}},
            ]
        }
    )
    assert source(data.encode()) == b"a = 1\nb = 2\n\nd = 4\n"


MAGIC = [
    ("%matplotlib inline\nx = 1", b"pass\nx = 1\n"),
    ("if x:\n    !rm -rf ~\n", b"if x:\n    pass\n"),
    ("%%bash\nrm -rf ~", b"\n"),
    ("%%time\nx = 1", b"x = 1\n"),
    ("files = !ls\ntorch?\n?torch\n", b"pass\npass\npass\n"),
    ("x = (a\n     % b)", b"x = (a\n     % b)\n"),
    ("x = 7 % 3\nok = x != 1\n", b"x = 7 % 3\nok = x != 1\n"),
    ("# !ls\n", b"# !ls\n"),
]


@pytest.mark.parametrize(("cell", "python"), MAGIC, ids=[cell.splitlines()[0] for cell, _ in MAGIC])
def test_what_only_a_notebook_understands(cell: str, python: bytes) -> None:
    assert source(notebook(cell)) == python


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"cells": 3}', b'{"cells": [1]}', b"\xff", b"[" * 10**6, notebook(3), notebook([3])]
)
def test_what_is_no_notebook(data: bytes) -> None:
    with pytest.raises(Unreadable):
        source(data)


@given(st.binary(max_size=200) | st.text(max_size=100).map(lambda text: notebook(text)))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    try:
        source(data)
    except Unreadable as wrong:
        assert wrong.kind == "not_python"
