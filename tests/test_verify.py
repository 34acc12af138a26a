"""The grader graded: every claim is a row, and a claim that does not hold is a failing one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kata.verify import verify
from kata.zygote.events import Row
from tests import tiny

MINUS = "def double_and_shift(x, amount):\n    if amount < 0: raise ValueError\n    return 2 * x - amount\n"


def rows(root: Path, seeds: int = 2) -> dict[str, Row]:
    return {row.subject: row for row in verify(tiny.grader(root), seeds)}


def bad(root: Path) -> list[tuple[str, str, str]]:
    return [(row.subject, row.outcome, row.detail) for row in rows(root).values() if not row.ok]


def test_every_claim_of_a_sound_problem_holds(root: Path) -> None:
    told = rows(root)
    assert [row for row in told.values() if not row.ok] == []
    assert told["form"].outcome == "6 checks, 8 mistakes"
    assert told["stub"].outcome == "not_written"
    assert {f"answer that returns {what}" for what in ("its input", "zeros", "nothing", "a list")} <= told.keys()
    assert told["worked answer"].outcome == told["accepted added"].outcome == "passes × 2 seeds"
    assert told["mistake minus"].outcome == "fails values"
    assert told["only refuses sees"].detail == "unchecked"


Change = Callable[[str], str]


def swap(old: str, new: str) -> Change:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return change


@pytest.mark.parametrize(
    ("shelf", "change", "subject", "outcome", "detail"),
    [
        ("question", swap("raise NotImplementedError", "return x"), "stub", "reads as written", "give its functions a"),
        ("answer", swap("2 * x", "3 * x"), "worked answer", "fails values", "seed 0: 6 of 6 values are wrong"),
        (
            "answer",
            swap("2 * x", "2 * x.float()"),
            "worked answer",
            "fails half",
            "seed 0: dtype float32 where float16",
        ),
        ("grader", swap("x + x + amount", "x + amount"), "accepted added", "fails values", "seed 0: "),
        ("grader", swap("sign=-1.0", "sign=1.0"), "mistake minus", "fails nothing", ""),
        (
            "grader",
            swap("factor=1.0)", "factor=2.00002)"),
            "margin",
            "weakest mistake ÷ tolerance",
            "not_doubled; at l",
        ),
        ("grader", swap('"minus")', '"plus")'), "form", "6 checks, 8 mistakes", "a hint answers to plus"),
        (
            "grader",
            swap('hint("Double first."),', ""),
            "form",
            "6 checks, 8 mistakes",
            "there are fewer than three gen",
        ),
        (
            "grader",
            swap('right("4"', 'wrong_choice("4"'),
            "form",
            "6 checks",
            "quiz question 1 needs exactly one right",
        ),
        ("grader", swap('"The amount is taken away."', '" "'), "form", "6 checks", "the mistake minus has no text"),
        ("grader", swap('"""The values are right."""', ""), "form", "6 checks", "the check values has no docstring"),
        (
            "grader",
            swap("def added(x, amount):", "def added(x):"),
            "form",
            "6 checks",
            "the accepted variant added can't be called as the stub: ",
        ),
        ("grader", swap('SECTION = "Testing"', ""), "form", "6 checks", "SECTION is not set"),
        ("grader", swap("AFTER = (3,)", "AFTER = (3, 7)"), "form", "6 checks", "AFTER names 7, which comes no earlier"),
        (
            "question",
            swap("Twice the input", "As in problem 29 and 998"),
            "form",
            "6 ",
            "problems/, line 3: there is no problem 998",
        ),
        ("grader", swap("def reference(x, amount,", "def reference(x, amount=0,"), "form", "6 ", "the reference takes"),
        (
            "answer",
            swap("(x, amount):", "(x, amount=1):"),
            "form",
            "6 ",
            "the worked answer takes double_and_shift(x, amount=1), t",
        ),
        (
            "question",
            lambda text: '"""# Only a title"""' + text.split('"""', 2)[2],
            "form",
            "6 checks",
            "the stub's docstring lacks a title",
        ),
        (
            "grader",
            swap("@check(points=1, explains=True)", "@check(points=1)"),
            "answer that returns its input",
            "1 points",
            "",
        ),
    ],
)
def test_claims_that_do_not_hold(
    tmp_path: Path, shelf: str, change: Change, subject: str, outcome: str, detail: str
) -> None:
    texts = {"question": tiny.QUESTION, "answer": tiny.ANSWER, "grader": tiny.GRADER}
    tiny.write(tmp_path, **(texts | {shelf: change(texts[shelf])}))
    found = [(o, d) for s, o, d in bad(tmp_path) if s == subject]
    assert found and found[0][0].startswith(outcome) and found[0][1].startswith(detail), bad(tmp_path)


def learners(root: Path, **files: str) -> None:
    folder = root / "tests" / "learners" / tiny.NAME
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_files_of_learners(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    learners(
        tmp_path,
        **{
            "right/sum": tiny.ANSWER.replace("2 * x", "x + x"),
            "right/bad": MINUS,
            "wrong/minus": MINUS,
            "wrong/minus__other": MINUS.replace("2 * x - amount", "x + x - amount"),
            "wrong/not_doubled+minus": MINUS.replace("2 * x", "x"),
            "wrong/unchecked": MINUS,
            "wrong/nonesuch": MINUS,
            "wrong/squared": "def f(:",
        },
    )
    told = rows(tmp_path)
    good = {name for name, row in told.items() if row.ok and "/" in name}
    assert good == {"right/sum", "wrong/minus", "wrong/minus__other", "wrong/not_doubled+minus"}
    assert told["right/bad"].outcome == "fails values"
    assert told["wrong/unchecked"].detail == "named minus"
    assert told["wrong/nonesuch"].outcome == "names no known mistake"
    assert not told["wrong/squared"].ok
    lacking = told["mistakes proven by a file"]
    assert not lacking.ok and "always_float32" in lacking.detail and "minus" not in lacking.detail.split(", ")


def version(root: Path, record: bool = False) -> Row | None:
    told = {row.subject: row for row in verify(tiny.grader(root), 1, record=record)}
    return told.get("VERSION")


def test_no_verdict_changes_without_a_new_version(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    assert version(tmp_path) is None  # no file could tell
    learners(tmp_path, **{"wrong/minus": MINUS, "wrong/minus__other": MINUS + "# again\n"})
    assert version(tmp_path) == Row("VERSION", "nothing recorded", True, "kata verify 7 --record keeps what files earn")
    assert version(tmp_path, record=True) == Row("VERSION", "5: the marks of 2 files are recorded", True)
    assert version(tmp_path) == Row("VERSION", "5: 2 files earn what they earned", True)
    generous = tiny.GRADER.replace("@check(points=1)", "@check(points=1.25)")
    tiny.write(tmp_path, grader=generous)
    changed = version(tmp_path)
    assert changed is not None and not changed.ok and "raise VERSION, then kata verify 7 --record" in changed.detail
    tiny.write(tmp_path, grader=generous.replace("VERSION = 5", "VERSION = 6"))
    raised = version(tmp_path)
    assert raised == Row("VERSION", "6, recorded under 5", False, "kata verify 7 --record")
    version(tmp_path, record=True)
    again = version(tmp_path)
    assert again is not None and again.ok


def test_marks_of_another_torch_or_of_another_text_are_not_compared(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    learners(tmp_path, **{"wrong/minus": MINUS})
    version(tmp_path, record=True)
    learners(tmp_path, **{"wrong/minus": "import torch\n" + MINUS})
    assert version(tmp_path) == Row("VERSION", "5: 0 files earn what they earned", True)
    kept = tmp_path / "tests" / "verdicts" / f"{tiny.NAME}.json"
    kept.write_text(kept.read_text().replace('"torch": "', '"torch": "1'))
    other = version(tmp_path)
    assert other is not None and other.ok and other.outcome == "not compared"
