"""The doctor: one mistake, several, families, ties; and silence where nothing fits."""

from pathlib import Path

import pytest

from kata.model import Grader
from tests import tiny
from tests.tiny import Judged

HEAD = "def double_and_shift(x, amount):\n"
CHECKED = HEAD + "    if amount < 0: raise ValueError\n"


def answer(expression: str) -> str:
    return f"{CHECKED}    return {expression}\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (answer("2 * x + amount"), []),
        (answer("x + amount"), ["not_doubled"]),
        (answer("2 * x - amount"), ["minus"]),
        (HEAD + "    return 2 * x + amount\n", ["unchecked"]),
        (answer("(2 * x + amount).float()"), ["always_float32"]),
        (CHECKED + "    return x.mul_(2).add_(amount)\n", ["in_place"]),
        (answer("2 * x * x + amount"), ["curved"]),
        (answer("x - amount"), ["not_doubled + minus"]),
        (HEAD + "    return 2 * x - amount\n", ["minus", "unchecked"]),
        (HEAD + "    return x + amount\n", ["not_doubled", "unchecked"]),
        (answer("x + amount + 0.25"), []),
        (answer("None"), []),
        (answer("x.nope"), []),
    ],
)
def test_names(grader: Grader, text: str, named: list[str]) -> None:
    found = " + ".join(Judged(grader, text).named)
    assert sorted(found.split(" + ")) == sorted(" + ".join(named).split(" + "))


def test_a_diagnosis_tells_its_checks_in_teaching_order(grader: Grader) -> None:
    [diagnosis] = Judged(grader, answer("x + amount")).diagnoses
    assert diagnosis.text == "The input is not doubled."
    assert diagnosis.checks == ("values", "gradient", "refuses")  # craft is explained once the answer is right


def test_a_family_tells_the_texts_of_all(grader: Grader) -> None:
    [diagnosis] = Judged(grader, answer("2 * x * x + amount")).diagnoses
    assert diagnosis.text == "The input is squared.\nOr: The input is multiplied by itself."


def test_two_at_once_are_one_diagnosis_that_covers_both(grader: Grader) -> None:
    [diagnosis] = Judged(grader, answer("x - amount")).diagnoses
    assert diagnosis.text == "Two things are off. The input is not doubled.\nAnd: The amount is taken away."
    assert {"values", "gradient"} <= set(diagnosis.checks)


def test_a_craft_mistake_explains_no_required_check(grader: Grader) -> None:
    judged = Judged(grader, answer("(2 * x + amount).double()"))
    assert judged.verdicts["half"] == "failed"
    assert judged.named == []  # float64 is not float32


def test_craft_is_explained_once_the_answer_is_right(grader: Grader) -> None:
    judged = Judged(grader, HEAD + "    return (2 * x + amount).float()\n")
    assert judged.verdicts["half"] == "failed"
    assert [(d.name, d.checks) for d in judged.diagnoses] == [("unchecked", ("refuses",))]


KNOBS = """
def reference(x, amount, *, a=0.0, b=0.0, c=0.0):
    return 2 * x.double() + amount + a * (amount == 1) + b * (amount == 2) + c * (amount == 3)


def one(n):
    def run(draw):
        yield call(draw.normal(2), float(n), want=reference)
    run.__name__, run.__doc__ = f"at_{n}", "Right."
    return check(points=1)(run)


CHECKS = [one(1), one(2), one(3), one(4)]
"""


def test_ties_are_of_mistakes_that_explain_the_same_checks(tmp_path: Path) -> None:
    """Two that explain as many, but different checks, are two things and no alternative."""
    mistakes = 'MISTAKES = [mistake("first", "First.", a=1.0, b=1.0), mistake("other", "Other.", a=1.0, c=1.0)]'
    own = tiny.graded(KNOBS + mistakes, tmp_path)
    judged = Judged(own, HEAD + "    return 2 * x + amount + (1 <= amount <= 3)\n")
    assert [(d.name, d.checks) for d in judged.diagnoses] == [("first", ("at_1", "at_2")), ("other", ("at_1", "at_3"))]


def test_of_mistakes_that_explain_the_same_the_one_that_passes_what_passed_is_named(tmp_path: Path) -> None:
    mistakes = 'MISTAKES = [mistake("wide", "Wide.", a=1.0, c=1.0), mistake("narrow", "Narrow.", a=1.0)]'
    own = tiny.graded(KNOBS + mistakes, tmp_path)
    assert Judged(own, HEAD + "    return 2 * x + amount + (amount == 1)\n").named == ["narrow"]
    assert Judged(own, HEAD + "    return 2 * x + amount + (amount == 1) + (amount == 3)\n").named == ["wide"]


def test_a_family_names_only_its_own(tmp_path: Path) -> None:
    mistakes = 'MISTAKES = [mistake("one", "1.", a=1.0, family="f"), mistake("two", "2.", a=1.0)]'
    own = tiny.graded(KNOBS + mistakes, tmp_path)
    assert Judged(own, HEAD + "    return 2 * x + amount + (amount == 1)\n").named == ["one or two"]


def test_knobs_that_clash_are_not_turned_together(tmp_path: Path) -> None:
    mistakes = 'MISTAKES = [mistake("one", "1.", a=1.0), mistake("two", "2.", a=2.0), mistake("three", "3.", b=1.0)]'
    own = tiny.graded(KNOBS + mistakes, tmp_path)
    assert Judged(own, HEAD + "    return 2 * x + amount + 3 * (amount == 1)\n").named == []


def test_a_mistake_with_memory_starts_anew_in_every_check(grader: Grader) -> None:
    text = """
seen = []
def double_and_shift(x, amount):
    seen.append(x)
    if amount < 0: raise ValueError
    return 2 * x + amount if len(seen) == 1 else 0 * x
"""
    assert "first_call_only" in Judged(grader, text).named


def test_replies_are_compared_whole(tmp_path: Path) -> None:
    """The kind of an exception, a missing gradient and a changed input tell mistakes apart."""
    own = tiny.graded(
        '''
        @check(points=1)
        def values(draw):
            """Right."""
            yield call(draw.normal(2), 1.0, want=reference, cotangent=draw.normal(2))

        @wrong("Raises KeyError.")
        def raises_key(x, amount):
            raise KeyError("x")

        @wrong("Raises TypeError.")
        def raises_type(x, amount):
            raise TypeError("x")

        @wrong("Cut off.")
        def cut_off(x, amount):
            return 2 * x.detach() + amount
        ''',
        tmp_path,
    )
    assert Judged(own, HEAD + "    raise KeyError('other')\n").named == ["raises_key"]
    assert Judged(own, HEAD + "    return x + None\n").named == ["raises_type"]
    assert Judged(own, HEAD + "    return 2 * x.detach() + amount\n").named == ["cut_off"]
    assert Judged(own, HEAD + "    raise ValueError\n").named == []


@pytest.mark.parametrize(
    ("argument", "total"),
    [("Blocks((draw.normal(2), draw.normal(2)))", "sum(x)"), ("draw.generator()", "torch.rand(2, generator=x)")],
)
def test_arguments_that_come_alive_do_so_for_mistakes_too(tmp_path: Path, argument: str, total: str) -> None:
    own = tiny.graded(
        f"""
        from kata.author import Blocks

        def reference(x, amount, *, factor=1.0, asks=False):
            return {total} > 0 if asks else factor * ({total}).double() + amount

        @check(points=1)
        def values(draw):
            \"\"\"Right.\"\"\"
            yield call({argument}, 1.0, want=reference)

        MISTAKES = [mistake("asks", "Asks.", asks=True), mistake("twice", "Twice.", factor=2.0)]
        """,
        tmp_path,
    )
    head = "import torch\ndef double_and_shift(x, amount):\n    return "
    assert Judged(own, f"{head}{total} + amount\n").verdicts == {"values": "passed"}
    assert Judged(own, f"{head}2 * {total} + amount\n").named == ["twice"]
    assert Judged(own, f"{head}{total} > 0\n").named == ["asks"]
