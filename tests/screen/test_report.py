"""A report in a terminal: narrow, without colours, without a terminal, and with hostile text in it."""

import io
import re

import pytest
from msgspec.structs import replace
from rich.console import Console

from kata.model import Error, Grader, Problem, Report
from kata.report import skipped
from kata.screen.report import MARKS, ReportScreen, ending_of
from kata.screen.verdict import TITLES
from tests import tiny
from tests.tiny import Judged

HEAD = "import torch\ndef double_and_shift(x, amount):\n    if amount < 0: raise ValueError\n"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def problem(grader: Grader) -> Problem:
    return grader.problem


def screen(report: Report, problem: Problem, width: int = 100, colour: bool = False, path: str = "mine.py") -> str:
    """What a terminal of this width would be sent."""
    file = io.StringIO()
    console = Console(file=file, width=width, markup=False, emoji=False, highlight=False, no_color=not colour)
    if colour:
        console = Console(file=file, width=width, markup=False, emoji=False, highlight=False, force_terminal=True)
    shown = ReportScreen(console, problem, path)
    if report.error is None:
        for finding in report.findings:
            shown.found(finding)
    shown.done(report)
    return file.getvalue()


def words(text: str) -> str:
    return " ".join(COLOUR.sub("", text).replace("│", " ").split())


def plain(text: str, problem: Problem) -> str:
    """Words in which the option that names the test's track is short."""
    return text.replace(f" --track {problem.question.parents[1]}", "{track}")


def wrong(grader: Grader, body: str) -> Report:
    return Judged(grader, HEAD + body).report(sandbox="process")


def failed(grader: Grader, kind: str, message: str = "why", line: int | None = None) -> Report:
    report = Judged(grader, tiny.ANSWER).report(sandbox="process")
    return replace(report, error=Error(kind, message, line), passed=False)  # type: ignore[arg-type]


def test_a_right_answer(grader: Grader, problem: Problem) -> None:
    text = screen(Judged(grader, tiny.ANSWER).report(seconds=0.44), problem)
    lines = text.splitlines()
    assert lines[0].rstrip() == "7 · Double and shift   mine.py"
    assert lines[2].rstrip() == "  ✔ The result has the shape of the input."
    assert lines[3].startswith("  ✔ The values are right. ") and lines[3].endswith(" 4/4")
    assert "craft" in lines[6] and lines[7].rstrip() == "  ✔ Half precision in, half precision out."
    assert text.rstrip().endswith(
        "✔ passed · 8/8 points · craft 2/2 · 0.4 s · sandbox: inline\n    Right, and well made."
    )


def test_right_but_not_well_made(grader: Grader, problem: Problem) -> None:
    told = words(screen(wrong(grader, "    return (2 * x + amount).float()\n"), problem))
    assert "✘ Half precision in, half precision out." in told
    assert "Craft: always float32" in told and "Every result has become float32." in told
    assert told.endswith("Right. The craft lines above say what would make it better.")


def test_the_first_failure_in_full_and_what_went_wrong(grader: Grader, problem: Problem) -> None:
    told = words(screen(wrong(grader, "    return x + amount\n"), problem))
    assert "✘ The values are right. your call double_and_shift(x: float32 (2, 3), " in told
    assert re.search(
        r"what came 6 of 6 values are wrong; the first at \[0, 0\] is -?[\d.]+ where -?[\d.]+ is right", told
    )
    assert "What went wrong: not doubled" in told and "The input is not doubled." in told
    assert told.count("your call") == 1
    again = "kata grade 7 07_double_and_shift.py{track} once you have changed it"
    assert "✘ not passed yet · " in told and plain(told, problem).endswith(
        f"{again} kata hint 7{{track}} a step of help"
    )


def test_a_crash_shows_the_learners_lines_and_output(grader: Grader, problem: Problem) -> None:
    body = "    return helper(x)\ndef helper(x):\n    return x.nope\n"
    report = wrong(grader, body)
    report = replace(report, findings=tuple(replace(f, output="one\ntwo\n" * 9) for f in report.findings))
    told = words(screen(report, problem))
    assert "✘ The result has the shape of the input. (raised an error)" in told
    assert "line 4 return helper(x) (in double_and_shift) line 6 return x.nope (in helper)" in told
    assert "it printed one two one two one two one two … 10 more lines" in told


def test_an_error_that_ends_many_checks_is_told_once(grader: Grader, problem: Problem) -> None:
    """Once in full, the others are counted and listed; another error, or the same at another line, is another."""
    told = words(screen(wrong(grader, "    return x.nope\n"), problem))
    assert "✘ The same in 3 more checks: raised an error (AttributeError) values, gradient, refuses" in told
    assert told.count("(raised an error)") == 1 and told.count("what came") == 1
    body = "    if x.dim() == 2: return x.nope\n    return x.nope\n"
    told = words(screen(wrong(grader, body), problem))
    assert told.count("(raised an error)") == 2
    assert told.count("The same in 1 more check: ") == 2


def test_what_can_differ_between_two_errors_is_no_difference(grader: Grader, problem: Problem) -> None:
    """Sizes in a message, and how long a hung answer was waited for."""
    report = wrong(grader, "    return x.nope\n")
    for verdict, texts in (
        ("crashed", ("RuntimeError: size 3", "RuntimeError: size 5")),
        ("timed_out", ("no answer after 4 seconds of computing", "no answer after 2 seconds of computing")),
    ):
        several = [f for f in report.findings if f.tier == "required"][:2]
        one, two = (replace(f, verdict=verdict, message=m) for f, m in zip(several, texts, strict=True))
        assert ending_of(one) == ending_of(two) != ending_of(replace(two, verdict="died"))
    assert ending_of(replace(one, verdict="failed")) is None


def test_a_hung_answer_is_explained_at_once(grader: Grader, problem: Problem) -> None:
    """Under the first check that took too long, not only at the end."""
    report = wrong(grader, "    return x.nope\n")
    hung = tuple(replace(f, verdict="timed_out", message="no answer after 4 seconds") for f in report.findings)
    text = words(screen(replace(report, findings=hung), problem))
    explained = "(took too long) no answer after 4 seconds. Does a loop never end?"
    assert explained in text and text.index(explained) < text.index("The same in 3 more checks: took too long")


def test_an_error_behind_a_wrong_value_is_told_too(grader: Grader, problem: Problem) -> None:
    """The first failure is no error; the first error, which nothing explains, follows it."""
    body = "    if x.requires_grad: return x.nope\n    return x.sum()\n"
    told = words(screen(wrong(grader, body), problem))
    assert told.count("what came") == 2 and "AttributeError" in told.split("what came")[2]


def test_a_seed_is_a_part_of_doing_it_again(grader: Grader, problem: Problem) -> None:
    """A failure that one seed shows is shown again."""
    told = words(screen(replace(wrong(grader, "    return x\n"), seed=5), problem))
    assert "kata grade 7 07_double_and_shift.py --seed 5" in told


def test_a_file_s_own_line_is_shown_with_its_caret(grader: Grader, problem: Problem) -> None:
    text = screen(failed(grader, "syntax", "SyntaxError: no\n12 | x +* 2\n        ^", 12), problem)
    assert "    SyntaxError: no\n      12 | x +* 2\n              ^\n" in "".join(
        line.rstrip() + "\n" for line in text.splitlines()
    )


def test_the_opening_of_a_statement_is_no_raw_markdown(grader: Grader, problem: Problem) -> None:
    """Emphasis, code and formulas can be read with and without colours."""
    odd = replace(problem, statement="It **turns** `x` by $\\theta_i$.\n\nMore.")
    report = replace(failed(grader, "not_written"), findings=tuple(map(skipped, grader.checks)))
    assert "It turns x by θᵢ. 6 checks" in words(screen(report, odd))


def test_a_map_shows_where(grader: Grader, problem: Problem) -> None:
    text = screen(wrong(grader, "    y = 2 * x + amount\n    if y.dim() == 2: y[1] = 0\n    return y\n"), problem)
    assert re.search(r"wrong where  0 ···\s+1 [▒▓█]{3}\s+down: axis 0 0–1, across: axis 1 0–2\s+· right   ", text)


def test_part_of_a_grade(grader: Grader, problem: Problem) -> None:
    report = Judged(grader, tiny.ANSWER, only=("values",)).report(sandbox="process")
    told = words(screen(report, problem))
    assert "– The gradient is right." in told
    assert "– not judged as a whole" in told
    assert plain(told, problem).endswith("kata grade 7 07_double_and_shift.py{track} runs all checks")


@pytest.mark.parametrize("kind", TITLES)
def test_errors_have_titles_and_say_what_to_do(grader: Grader, problem: Problem, kind: str) -> None:
    told = words(screen(failed(grader, kind, "why it is so", 3), problem))
    assert f"✘ {TITLES[kind]}, line 3 why it is so" in told
    if kind == "ours":
        assert "Nothing was judged, and nothing counts against you. Once more: kata grade 7" in told
        assert "once you have put it right" not in told
    else:
        again = "kata grade 7 07_double_and_shift.py{track} once you have put it right"
        assert plain(told, problem).endswith(f"Nothing was judged. {again}")


def test_an_untouched_stub_makes_one_go_on(grader: Grader, problem: Problem) -> None:
    report = replace(failed(grader, "not_written"), findings=tuple(map(skipped, grader.checks)))
    told = words(screen(report, problem))
    told = plain(told, problem)
    assert "○ not written yet Twice the input, plus an amount. 6 checks are waiting. Write your answer in " in told
    assert "kata show 7{track} the whole statement kata grade 7 07_double_and_shift.py{track} what is right, " in told
    assert "✘" not in told


def test_every_verdict_and_error_has_its_place() -> None:
    assert set(MARKS) == {"passed", "failed", "crashed", "timed_out", "died", "skipped"}
    assert len({mark for mark, _ in MARKS.values()}) == 3  # no meaning by colour alone


# ── Terminals ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("width", [40, 60, 200])
@pytest.mark.parametrize(
    "body",
    [
        "    return 2 * x + amount\n",
        "    return x - amount\n",
        "    return x.nope\n",
        "    return x[0]\n",
        "    raise SystemExit\n",
    ],
)
def test_no_line_is_wider_than_the_terminal(grader: Grader, problem: Problem, width: int, body: str) -> None:
    report = wrong(grader, body)
    text = screen(report, problem, width)
    assert widest(text) <= width
    for finding in report.findings:
        if finding.tier == "required":  # all are there, those that ended alike by their names alone
            shown = set(words(text).replace(",", "").split())
            assert set(finding.promise.split()) <= shown or finding.check in shown


@pytest.mark.parametrize("kind", [*TITLES, "not_written"])
def test_errors_fit_a_narrow_terminal_too(grader: Grader, problem: Problem, kind: str) -> None:
    text = screen(failed(grader, kind, "a long message " * 8, 3), problem, 40)
    assert widest(text) <= 40


def widest(text: str) -> int:
    """Columns of the widest line, but for commands, which are never broken."""
    return max(len(line.rstrip()) for line in text.splitlines() if not line.startswith("    kata "))


def test_without_colours_nothing_is_lost(grader: Grader, problem: Problem) -> None:
    report = wrong(grader, "    return x - amount\n")
    plain, coloured = screen(report, problem), screen(report, problem, colour=True)
    assert "\x1b" not in plain and "\x1b" in coloured
    assert words(plain) == words(coloured)


# ── Hostile text ────────────────────────────────────────────────────────────────────────────────────────────────────

HOSTILE = "[bold red]x[/bold red] [link=http://evil]y[/link] :smile: [/] \x1b]8;;http://evil\x07z\x1b[2J\r\u202e {0} %s"
SHOWN = "[bold red]x[/bold red] [link=http://evil]y[/link] :smile: [/] ␛]8;;http://evil␇z␛[2J␍\\u202e {0} %s"


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        HEAD + f"    raise ValueError({HOSTILE!r})\n",
        HEAD + f"    raise type({HOSTILE[:20]!r}, (Exception,), {{}})\n",
        HEAD + f"    return {{1: 2, {HOSTILE!r}: 3}}\n",
        HEAD + f"    return {HOSTILE!r}\n",
        HEAD + f"    raise KeyError  # {HOSTILE.replace(chr(13), '')}\n",
    ],
    ids=["message", "kind", "key", "value", "source"],
)
def test_nothing_that_a_learner_says_is_interpreted(grader: Grader, problem: Problem, text: str, colour: bool) -> None:
    report = Judged(grader, text).report()
    sent = screen(report, problem, 240, colour)
    rest = COLOUR.sub("", sent)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", rest)
    assert "8;" not in "".join(COLOUR.findall(sent)).replace("38;", "")
    if "ValueError(" in text:
        assert SHOWN in rest


def test_output_and_paths_are_not_interpreted_either(grader: Grader, problem: Problem) -> None:
    report = wrong(grader, "    return None\n")
    shown = tuple(replace(f, output="[link=http://evil]y[/link] :smile:") for f in report.findings)
    sent = screen(replace(report, findings=shown), problem, 200, colour=True, path="[red]mine[/red].py")
    rest = COLOUR.sub("", sent)
    assert "[link=http://evil]y[/link] :smile:" in rest and "[red]mine[/red].py" in rest
    assert "\x1b]" not in sent
