"""Hints, quiz and checks are read out of a grader/ file without running it: they are what running it gives."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from kata import answers, hints, progress, quiz, texts, track
from kata.errors import KataError
from kata.model import Choice, Question
from kata.progress import Entry, Last
from kata.screen.formulas import CODE, formula, readable
from kata.track import default_root
from tests import day, tiny


@pytest.mark.parametrize("number", track.numbers(default_root()))
def test_what_is_read_is_what_running_gives(number: int) -> None:
    """Of every problem of the track."""
    problem = track.find(default_root(), str(number))
    grader = track.grader(problem)
    assert texts.hints(problem) == grader.hints
    assert texts.quiz(problem) == grader.quiz
    assert texts.checks(problem) == {check.name: check.promise for check in grader.checks}
    for mistake in grader.mistakes:
        if mistake.family:
            assert mistake.name in texts.family(problem, mistake.family)


def test_a_hint_that_is_no_text_is_told_by_its_line(tmp_path: Path) -> None:
    """What can't be read without being run names the file and the line."""
    root = tiny.write(tmp_path, grader=tiny.GRADER.replace('hint("Double first.")', "hint(str(1 + 1))"))
    with pytest.raises(KataError, match=r"07_double_and_shift.py, line \d+: hints and quiz are read"):
        texts.hints(track.find(root, "7"))


def test_hints_climb_a_ladder_one_by_one(tmp_path: Path) -> None:
    """The general ones in order; what answers to another mistake never comes."""
    home, root = day.made(tmp_path)
    problem = day.problem(root)
    given = [hints.another(home, problem) for _ in range(4)]
    assert [step.text for step in given if step] == ["Read the statement.", "Double first.", "Then add."]
    assert [(step.position, step.left) for step in given if step] == [(1, 2), (2, 1), (3, 0)]
    assert given[3] is None
    assert [step.text for step in hints.again(home, problem)] == ["Read the statement.", "Double first.", "Then add."]


@pytest.mark.parametrize("told", ["minus", "minus + squared", "not_doubled or minus"])
def test_a_diagnosis_brings_its_own_hint_first(tmp_path: Path, told: str) -> None:
    """Named alone, together with another, or as one of two that can't be told apart."""
    home, root = day.made(tmp_path)
    problem = day.problem(root)
    hints.another(home, problem)
    progress.change(home, problem, lambda entry: replace(entry, last=Last(diagnoses=(told,))))
    step = hints.another(home, problem)
    assert step is not None and step.text == "Mind the sign." and step.answers and step.position == 2


def test_a_family_brings_the_hints_of_its_members(tmp_path: Path) -> None:
    """A diagnosis named by a family is answered by hints for any of its mistakes."""
    more = tiny.GRADER.replace('"Mind the sign.", "minus"', '"No power is asked for.", "squared"')
    problem = track.find(tiny.write(tmp_path, grader=more), "7")
    entry = Entry(last=Last(diagnoses=("curved",)))
    assert hints.waiting(problem, texts.hints(problem), entry)[0].text == "No power is asked for."


def test_a_quiz_is_shuffled_by_its_seed() -> None:
    """The same seed gives the same order, another one another; the choices are those of the file."""
    problem = track.find(default_root(), "4")
    orders = [quiz.shuffled(problem, seed) for seed in (0, 0, 1, 2)]
    assert orders[0] == orders[1] and orders[0] != orders[2] != orders[3]
    for order in orders:
        assert {q.text: {c.text for c in q.choices} for q in order} == {
            q.text: {c.text for c in q.choices} for q in texts.quiz(problem)
        }
    places = {[c.right for c in q.choices].index(True) for seed in range(20) for q in quiz.shuffled(problem, seed)}
    assert places == {0, 1, 2, 3}


def test_the_best_quiz_is_kept(tmp_path: Path) -> None:
    """A worse one counts as taken and changes no score."""
    home, root = day.made(tmp_path)
    problem = day.problem(root)

    def right(position: int, of: int, question: Question) -> Choice:
        return next(choice for choice in question.choices if choice.right)

    def wrong(position: int, of: int, question: Question) -> Choice:
        return next(choice for choice in question.choices if not choice.right)

    assert quiz.seed_of(problem, home, None) == 0
    assert quiz.take(problem, quiz.shuffled(problem, 0), right, home) == 1
    assert quiz.take(problem, quiz.shuffled(problem, 1), wrong, home) == 0
    kept = day.entry(home, root).quiz
    assert (kept.best, kept.of, kept.taken) == (1, 1, 2)
    assert quiz.seed_of(problem, home, None) == 2


def test_the_worked_answer_is_for_those_who_passed_or_gave_up(tmp_path: Path) -> None:
    """Refused before; once it was seen, it may be seen again; giving up stays in the record."""
    home, root = day.made(tmp_path)
    problem = day.problem(root)
    with pytest.raises(KataError, match="kata solution 7 --give-up"):
        answers.opened(home, problem, give_up=False)
    assert not day.entry(home, root).solution_seen
    worked = answers.opened(home, problem, give_up=True)
    assert worked.code.startswith("import torch") and worked.text == ""
    assert answers.opened(home, problem, give_up=False) == worked
    assert day.entry(home, root).gave_up and day.entry(home, root).solution_seen


def test_the_difference_leaves_statements_out(tmp_path: Path) -> None:
    """Only code is compared, and an answer that is no Python is shown as it is."""
    home, root = day.made(tmp_path)
    problem, file = day.problem(root), home.root / "problems" / "07_double_and_shift.py"
    file.write_text('"""# Title\n\nstatement\n"""\n\n' + day.MINUS.split('"""\n\n', 1)[1])
    lines = list(answers.difference(home, problem, file, give_up=True))
    assert "-    return 2 * x - amount" in lines and "+    return 2 * x + amount" in lines
    assert not any("statement" in line for line in lines)
    file.write_text("def (")
    assert "-def (" in list(answers.difference(home, problem, file, give_up=True))
    file.unlink()
    with pytest.raises(KataError, match="there is no file"):
        list(answers.difference(home, problem, file, give_up=True))


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"\theta_i = b^{-2i/d}", "θᵢ = b^(-2i/d)"),
        (r"\frac{q k^\top}{\sqrt{d_k}}", "(q kᵀ)/√dₖ"),
        (r"\mathrm{softmax}(x)_i = \frac{e^{x_i}}{\sum_j e^{x_j}}", "softmax(x)ᵢ = e^xᵢ/(∑ⱼ e^xⱼ)"),
        (r"x_1^2 \leq \left( a + b \right)", "x₁² ≤ ( a + b )"),
        (r"W_{\text{out}}", "Wₒᵤₜ"),
        (r"m \in \{0, 1\}", "m ∈ 0, 1"),
    ],
)
def test_formulas_can_be_read_in_a_terminal(tex: str, shown: str) -> None:
    """Greek letters, raised and lowered characters, fractions, roots."""
    assert formula(tex) == shown


RAW = re.compile(r"\$[^$\n]*\$|\\[a-zA-Z]+|[\^_]\{")


@pytest.mark.parametrize("number", track.numbers(default_root()))
def test_no_formula_of_the_track_is_shown_raw(number: int) -> None:
    """Statement, worked answer, hints and quiz: no dollar signs, backslashes or braces, but in code."""
    problem = track.find(default_root(), str(number))
    told = [problem.statement, answers.split(problem.answer.read_text("utf-8")).text]
    told += [hint.text for hint in texts.hints(problem)]
    for question in texts.quiz(problem):
        told += [question.text, *(text for choice in question.choices for text in (choice.text, choice.why))]
    for text in told:
        prose = "".join(CODE.split(readable(text))[::2])
        assert not RAW.search(prose), RAW.search(prose)


def test_raw_formulas_would_be_seen() -> None:
    """What the test above looks for is what a formula that is not understood leaves behind."""
    for left in (r"$x_1$", r"so \frac{a}{b} is", "W_{out}", "e^{x}"):
        assert RAW.search(left)
    assert not RAW.search("costs $5, x₁ = a_b, 2^n")


def test_only_formulas_are_changed() -> None:
    """Prices, code and indented blocks stay as they are."""
    assert readable("costs $5 or $6; $x_1$; `$y_1$`\n\n    $z_1$\n") == "costs $5 or $6; x₁; `$y_1$`\n\n    $z_1$\n"
