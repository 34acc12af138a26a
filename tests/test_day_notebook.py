"""Answers in a notebook: the cells that define one are judged in the sandbox, a real kernel judges inline."""

import ast
import json
import re
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import kata
from kata import notebook
from kata.errors import KataError, Unreadable
from tests import day

CELLS = (
    "%matplotlib inline\nimport torch\nimport math as m\n!pip list\nfrom torch import Tensor, nn",
    "SCALE = 2  # used\nUNUSED = open('/nowhere')",
    "%%bash\nrm -rf /",
    "def helper(x):\n    return SCALE * x",
    "raise SystemExit('not run')",
    "%%time\n@torch.enable_grad()\ndef double_and_shift(x, amount):\n    if amount < 0:\n        raise ValueError\n"
    "    return helper(x) + amount\n\ndouble_and_shift(1, 2)\ntorch?",
    "x = double_and_shift(torch.ones(3), 1.0)\nx",
)


def written(file: Path, *cells: str) -> Path:
    """A notebook of these code cells and some prose."""
    made = new_notebook(cells=[new_markdown_cell("# Mine"), *map(new_code_cell, cells)])
    nbformat.write(made, file)
    return file


def source(*cells: str, functions: tuple[str, ...] = ("double_and_shift",)) -> str:
    """What is taken out of a notebook."""
    content = nbformat.writes(new_notebook(cells=list(map(new_code_cell, cells)))).encode()
    return notebook.extracted(content, functions, "mine.ipynb").decode()


def test_only_what_the_answer_needs_is_taken() -> None:
    """Definitions and imports that the function refers to, at any distance; no call, no magic, no other cell."""
    taken = source(*CELLS)
    ast.parse(taken)
    for wanted in ("import torch", "SCALE = 2", "def helper", "@torch.enable_grad()", "def double_and_shift"):
        assert wanted in taken
    for other in ("UNUSED", "SystemExit", "rm -rf", "%", "!pip", "double_and_shift(1, 2)", "x = double", "import math"):
        assert other not in taken


@pytest.mark.parametrize(
    ("cells", "last"),
    [
        (("f = 1", "f = lambda x: x"), "f = lambda x: x"),
        (("def f(): return 1", "f()\ndef f(): return 2"), "def f(): return 2"),
        (("try:\n    from a import f\nexcept ImportError:\n    f = None",), "f = None"),
        (("class F:\n    def __call__(self): ...", "f = F()"), "f = F()"),
        (("import torch; f = torch.abs",), "f = torch.abs"),
    ],
)
def test_every_way_to_define_a_function(cells: tuple[str, ...], last: str) -> None:
    """Assignments, definitions that come twice, conditional imports, instances: in order, the last one counts."""
    taken = source(*cells, functions=("f",))
    ast.parse(taken)
    assert taken.rstrip().endswith(last)


def test_a_notebook_without_the_function_says_so() -> None:
    """The report names the function that no cell defines."""
    with pytest.raises(Unreadable, match=r"no code cell of mine\.ipynb defines double_and_shift") as told:
        source("def doubled(): ...")
    assert told.value.kind == "missing_function"


def test_a_cell_that_python_can_t_read_is_judged_as_one() -> None:
    """The learner's own syntax error reaches the report; one in another cell doesn't matter."""
    assert "def double_and_shift(x" in source("def double_and_shift(x\n")
    assert "return x" in source("this is no python", "def double_and_shift(x): return x")


@pytest.mark.parametrize("content", [b"", b"{", b'{"cells": 3}', b"\xff\xfe", b"[]", b'{"nbformat": 99, "cells": []}'])
def test_half_a_notebook_is_said_to_be_one(content: bytes) -> None:
    """Whatever is not whole gives a sentence, never a traceback."""
    with pytest.raises(Unreadable, match=r"x.ipynb (is not a whole notebook|)"):
        notebook.extracted(content, ("f",), "x.ipynb")


def test_without_nbformat_the_sentence_has_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named."""
    monkeypatch.setitem(sys.modules, "nbformat", None)
    with pytest.raises(KataError, match="Mend it: pip install nbformat"):
        notebook.extracted(b"{}", ("f",), "x.ipynb")


def test_a_notebook_is_graded_in_the_sandbox(tmp_path: Path) -> None:
    """The command takes it, the mistake in it is named, and it counts as a try."""
    home, root = day.made(tmp_path)
    written(home.root / "mine.ipynb", *CELLS)
    told = day.told("grade", "7", "mine.ipynb", cwd=home.root, root=root)
    assert told["passed"] and told["sandbox"] != "inline" and told["submission"]["path"] == "mine.ipynb"
    written(home.root / "mine.ipynb", *(cell.replace("+ amount", "- amount") for cell in CELLS))
    told = day.told("grade", "7", "mine.ipynb", cwd=home.root, root=root)
    assert [d["name"] for d in told["diagnoses"]] == ["minus"]
    assert day.entry(home, root).tries == 2


def test_half_a_notebook_is_reported_by_the_command(tmp_path: Path) -> None:
    """One line, no fault of ours."""
    home, root = day.made(tmp_path)
    (home.root / "mine.ipynb").write_text('{"cells": [')
    done = day.kata("grade", "7", "mine.ipynb", cwd=home.root, root=root)
    assert done.returncode == 1 and "not a whole notebook" in done.stdout and "fault" not in done.stdout + done.stderr


def function(text: str, name: str = "double_and_shift") -> object:
    """A function as a cell defines it."""
    space: dict[str, object] = {}
    exec(compile(text, "<cell>", "exec"), space)
    return space[name]


def test_check_gives_the_command_s_report(tmp_path: Path) -> None:
    """The same findings and diagnoses, at level inline, as text and as HTML."""
    home, root = day.made(tmp_path)
    (home.root / "mine.py").write_text(day.MINUS)
    told = day.told("grade", "7", "mine.py", cwd=home.root, root=root)
    checked = kata.check(7, function(day.MINUS), track=str(root))  # type: ignore[arg-type]
    assert checked.report.sandbox == "inline" and not checked.passed
    assert {f.check: f.verdict for f in checked.report.findings} == {f["check"]: f["verdict"] for f in told["findings"]}
    assert [d.text for d in checked.report.diagnoses] == [d["text"] for d in told["diagnoses"]]
    text, page = repr(checked), checked._repr_html_()
    for words in ("The amount is taken away.", "sandbox: inline", "nothing is confined", "check(7, …)"):
        assert words in text and words in page
    assert page.startswith("<pre") and "\x1b" not in page + text


def test_check_escapes_what_an_answer_says(tmp_path: Path) -> None:
    """No tag of an answer reaches the page."""
    root = day.two_problems(tmp_path)
    evil = "def double_and_shift(x, amount):\n    raise KeyError('<script>alert(1)</script>')\n"
    page = kata.check(7, function(evil), track=str(root))._repr_html_()  # type: ignore[arg-type]
    assert "<script" not in page and "&lt;script" in page


def test_check_leaves_the_kernel_as_it_was(tmp_path: Path) -> None:
    """Settings and chance are those of before, and what the function prints is in the report, not in the notebook."""
    import random

    import torch

    root = day.two_problems(tmp_path)
    torch.manual_seed(5)
    random.seed(5)
    expected = torch.rand(1).item(), random.random()
    torch.manual_seed(5)
    random.seed(5)
    torch.set_default_dtype(torch.float64)
    try:
        with torch.no_grad():
            kata.check(7, function(day.RIGHT), track=str(root))  # type: ignore[arg-type]
            assert not torch.is_grad_enabled()
        assert torch.get_default_dtype() == torch.float64
        assert (torch.rand(1, dtype=torch.float32).item(), random.random()) == expected
    finally:
        torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("def double_and_shift(x, amount):\n    raise NotImplementedError\n", None),
        ("double_and_shift = 3\n", "missing_function"),
        ("def double_and_shift(x): return x\n", "signature"),
    ],
)
def test_check_refuses_what_can_t_be_judged(tmp_path: Path, text: str, kind: str | None) -> None:
    """With the same kinds of error as the command."""
    checked = kata.check("double", function(text), track=str(day.two_problems(tmp_path)))  # type: ignore[arg-type]
    assert not checked.passed and (kind is None or (checked.report.error and checked.report.error.kind == kind))
    assert "check(7, …)" in repr(checked)


def test_check_can_be_interrupted(tmp_path: Path) -> None:
    """Ctrl-C in the kernel ends the whole check."""
    text = "def double_and_shift(x, amount):\n    raise KeyboardInterrupt\n"
    with pytest.raises(KeyboardInterrupt):
        kata.check(7, function(text), track=str(day.two_problems(tmp_path)))  # type: ignore[arg-type]


def test_check_wants_a_function(tmp_path: Path) -> None:
    """Called without one, it says what to type."""
    with pytest.raises(KataError, match=r"check\(7, double_and_shift\)"):
        kata.check(7, track=str(day.two_problems(tmp_path)))


def test_grade_from_python_is_the_sandbox(tmp_path: Path) -> None:
    """kata.grade is the command without its record."""
    home, root = day.made(tmp_path)
    (home.root / "mine.py").write_text(day.RIGHT)
    checked = kata.grade(7, str(home.root / "mine.py"), track=str(root))
    assert checked.passed and checked.report.sandbox != "inline" and day.entry(home, root).tries == 0


@pytest.mark.slow
def test_in_a_real_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jupyter shows HTML; the stub of a cell, a wrong answer and a right one are told apart."""
    from nbclient import NotebookClient

    root = day.two_problems(tmp_path)
    for name, value in day.environment(root).items():
        monkeypatch.setenv(name, value)
    cells = [
        "from kata import check",
        "def double_and_shift(x, amount):\n    raise NotImplementedError",
        "check(7, double_and_shift)",
        day.MINUS.split('"""\n\n', 1)[1],
        "check(7, double_and_shift)",
        "def double_and_shift(x, amount):\n    if amount < 0: raise ValueError\n    return x + x + amount",
        "check(7, double_and_shift)",
    ]
    book = new_notebook(cells=list(map(new_code_cell, cells)))
    NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [book.cells[i].outputs[-1]["data"] for i in (2, 4, 6)]
    for data, words in zip(shown, ("not written yet", "The amount is taken away.", "✔ passed"), strict=True):
        assert words in re.sub("<[^>]*>", "", data["text/html"]) and words in data["text/plain"]
        assert "<pre" in data["text/html"]
    nbformat.write(book, tmp_path / "run.ipynb")
    assert json.loads((tmp_path / "run.ipynb").read_text())["nbformat"] == 4
