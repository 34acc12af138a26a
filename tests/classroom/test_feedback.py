"""What a student is told, and what not: nothing of the secret run."""

from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
import torch
from msgspec.structs import replace
from torch import Tensor

from kata import track
from kata.classroom.feedback import feedback, markdown, own_words, unread
from kata.classroom.marks import marks
from kata.classroom.model import Course
from kata.classroom.page import feedback as as_html
from kata.model import CodeError, Error, ErrorKind, Report
from tests.classroom.people import STUDENTS, assignment, attempt, finding, report

SOURCE = (
    b"import torch\n\ndef double_and_shift(x, amount):\n    return x @ amount  # <b>mine</b> *bold* http://x.example\n"
)
SECRET = "SECRET-31415"


def both(root: Path, told: Report, source: bytes = SOURCE) -> tuple[str, str]:
    """The feedback on this report as Markdown and HTML."""
    tried = attempt(1.0)
    tried = replace(tried, answers=(replace(tried.answers[0], report=told),))
    (mark, *_) = marks(Course("c", (assignment(),)), STUDENTS[:1], [tried], ())
    made = feedback(mark, assignment(), {7: track.find(root, "7")}, {"c" * 64: source})
    return markdown(made), as_html("A course", made)


def crashed(message: str) -> Report:
    lines = [{"line": 4, "function": SECRET, "text": SECRET}, {"line": 999, "text": SECRET}, {"line": SECRET}]
    evidence = {"call": f"f({SECRET})", "map": [SECRET], "where": [SECRET], "traceback": lines}
    wrong = finding("values", "crashed", message=message, evidence=evidence, output=SECRET)
    return report(0.0, findings=(wrong, finding("gradient", "failed", message=SECRET, evidence=evidence)))


def test_nothing_of_the_run_is_told(root: Path) -> None:
    for text in both(root, crashed(f"ValueError: {SECRET} {SECRET}")):
        assert SECRET not in text and "31415" not in text
        assert "It keeps values." in text and "your code raised an error" in text
        assert "ValueError" in text and "line 4: " in text
        assert "The input is not doubled." in text


def test_a_time_out_says_where_and_nothing_else(root: Path) -> None:
    late = finding("values", "timed_out", message=SECRET, evidence={"traceback": [{"line": 4, "function": SECRET}]})
    for text in both(root, report(0.0, findings=(late,))):
        assert "it took too long" in text and "line 4: " in text and SECRET not in text


def test_what_a_student_wrote_is_no_markup(root: Path) -> None:
    text, html = both(root, crashed("ValueError: x"))
    assert "\\<b\\>mine\\</b\\> \\*bold\\* http\\://x.example" in text
    assert "&lt;b&gt;mine&lt;/b&gt; *bold* http://x.example" in html and "<b>mine" not in html


MULTIPLIED = "mat# and mat# shapes cannot be multiplied (#x# and #x#)"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("RuntimeError: mat1 and mat2 shapes cannot be multiplied (3x7 and 2x5)", MULTIPLIED),
        ("NameError: name 'torhc' is not defined", "name '…' is not defined"),
        ("NameError: name 'amount' is not defined", "name 'amount' is not defined"),
        ("TypeError: x() got an unexpected keyword argument 'amount'", "x() got an unexpected keyword argument '…'"),
        (
            "TypeError: can't multiply sequence by non-int of type 'float'",
            "can't multiply sequence by non-int of type 'float'",
        ),
        ("AttributeError: 'Tensor' object has no attribute 'amount'", "'Tensor' object has no attribute 'amount'"),
        ("IndexError: list index out of range", "list index out of range"),
        ("ZeroDivisionError: division by zero three seven", "division by zero"),
        ("KeyError: 'amount'", "'amount'"),
    ],
)
def test_sentences_that_everybody_gets(message: str, told: str) -> None:
    """Without their numbers, and with one name at most of the student's own."""
    assert own_words(message, SOURCE.decode().splitlines()) == f"{message.partition(':')[0]}: {told}"


@pytest.mark.parametrize(
    "text", ["three seven", "3.5 -7 1e9 nan inf 12", "amount amount x x amount", "value size tensor a list", "'x x'"]
)
def test_no_words_of_an_exception_spell_an_input(text: str) -> None:
    """Neither words from their own file nor torch's make a code: only whole sentences of torch's are told."""
    assert own_words(f"ValueError: {text}", SOURCE.decode().splitlines()) == "ValueError"
    assert own_words(f"KeyError: '{text.replace(' ', '.')}'", SOURCE.decode().splitlines()) in (
        "KeyError",
        "KeyError: '…'",
    )
    assert own_words(f"Seven: {text}", []) == own_words(f"print: {text}", []) == "an error of its own kind"


def test_few_lines_of_a_traceback_are_told_and_each_once(root: Path) -> None:
    """The way through many lines could spell an input as well."""
    steps = [{"line": number} for number in (1, 2, 1, 2, 3, 4, 3, 4)]
    wrong = finding("values", "crashed", message="ValueError: x", evidence={"traceback": steps})
    text, _ = both(root, report(0.0, findings=(wrong,)))
    assert [line.split(":")[0] for line in text.splitlines() if "  - line" in line] == [
        f"  - line {n}" for n in (2, 3, 4)
    ]


def test_craft_is_called_craft_wherever_it_is_told(root: Path) -> None:
    """A right answer may lack it, and must not read as wrong."""
    told = report(findings=(finding("values"), finding("device", "failed", tier="craft")))
    assert [text.count("craft, not kept") for text in both(root, told)] == [1, 1]


def matrix() -> Tensor:
    return torch.ones(2, 3)


def twice_through_a_graph() -> None:
    total = (matrix().requires_grad_() ** 2).sum()
    for _ in range(2):
        torch.autograd.backward(total)


MISTAKES: list[Callable[[], object]] = [
    lambda: bool(matrix() > 0),
    lambda: matrix() @ matrix(),
    lambda: matrix() + torch.ones(4),
    lambda: matrix() @ torch.ones(3, 2, dtype=torch.float64),
    lambda: matrix().t().view(6),
    lambda: matrix().view(4, 4),
    lambda: matrix().expand(3, 3),
    lambda: matrix().item(),
    lambda: matrix().sum(5),
    lambda: matrix()[5],
    lambda: matrix()[1.5],  # type: ignore[index]
    lambda: torch.cat([matrix(), torch.ones(2, 2, 2)]),
    lambda: torch.stack([matrix(), torch.ones(2, 2)]),
    lambda: torch.einsum("ij,jk->ik", matrix(), matrix()),
    lambda: matrix().masked_fill(torch.ones(2, 3), 0),
    lambda: ~matrix(),
    lambda: 1 - (matrix() > 0),
    lambda: torch.tensor([1, 2]).mean(),
    lambda: torch.cos(3.0),  # type: ignore[arg-type]
    lambda: torch.softmax(torch.tensor([1, 2]), 0),
    lambda: torch.polar(matrix(), matrix().double()),
    lambda: torch.nn.functional.scaled_dot_product_attention(matrix(), torch.ones(3, 4), matrix()),
    lambda: torch.autograd.grad(matrix().sum(), matrix()),
    lambda: matrix().requires_grad_().numpy(),
    lambda: matrix().requires_grad_().add_(1),
    lambda: torch.autograd.backward(matrix().requires_grad_() * 2),
    twice_through_a_graph,
    lambda: torch.vmap(lambda row: row.item())(matrix()),
    lambda: None + 1,  # type: ignore[operator]
    lambda: None.shape,  # type: ignore[attr-defined]
    lambda: len(torch.tensor(1)),
    lambda: int("a"),
    lambda: min([]),
    lambda: range(1.5),  # type: ignore[call-overload]
]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_torch_says_to_everybody_is_told(mistake: Callable[[], object]) -> None:
    """The commonest exceptions keep their sentence, without its numbers: a bare `RuntimeError` helps nobody."""
    with pytest.raises(Exception) as raised:
        mistake()
    kind, text = type(raised.value).__name__, str(raised.value).partition("\n")[0]
    assert own_words(f"{kind}: {text}", ["a", "x"]) != kind


def test_an_error_of_the_file_itself(root: Path) -> None:
    """Told from the file, since a child that knows an input can say whatever it likes when it loads the file again."""
    for kind in (*get_args(CodeError), "not_python"):
        for text in both(root, report(0.0, error=Error(kind, f"ValueError: {SECRET}", 31415))):
            assert SECRET not in text and "31415" not in text, kind
    broken, html = both(root, report(0.0, error=Error("syntax", SECRET, 1)), b"x = 1\n\nif x\n    pass\n")
    assert "SyntaxError: expected ':' (line 3)" in broken and "(line 3)" in html
    others: list[tuple[ErrorKind, str]] = [
        ("import", "an error of its own kind (line 3)"),
        ("missing_function", "the file does not define double\\_and\\_shift as a function"),
        ("signature", "double\\_and\\_shift can't be called with the parameters"),
        ("not_written", "double\\_and\\_shift is not written yet"),
        ("too_large", "ours"),
    ]
    for kind, said in others:
        assert said in both(root, report(0.0, error=Error(kind, "ours", 3)))[0], kind
    assert unread(b"\xff\n")[0].startswith("SyntaxError") and unread(b"x = 1") == ("Python can't read this file", None)


def test_code_in_a_promise_stays_code_and_nothing_else_becomes_markup(root: Path) -> None:
    told = report(findings=(finding("values", promise="`a_b<i>` and *c* ` <b> d_e `` http://x.example"),))
    text, _ = both(root, told)
    assert "✔ `a_b<i>` and \\*c\\* ` <b> d_e `\\` http\\://x.example — kept" in text
