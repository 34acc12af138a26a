"""Findings as they come, several problems as lines, tables, and sentences on stderr."""

import io

import pytest
from rich.console import Console
from rich.text import Text

from kata import grading
from kata.doctor import Fact
from kata.model import Grader, Job, Submission
from kata.screen import tables
from kata.screen.console import WIDTH, console, say_error, styled
from kata.screen.grading import Many, One
from kata.screen.live import ERASE_LINE, LiveLine
from kata.zygote.events import Row
from tests import tiny
from tests.tiny import Judged


def task(grader: Grader) -> grading.Task:
    return grading.Task(grader.problem, Job("/track", 7, Submission("mine.py", b"")))


def played(screen: One | Many, grader: Grader, text: str) -> None:
    judged = Judged(grader, text)
    screen.begin(task(grader))
    for finding in judged.findings:
        screen.found(finding)
    screen.done(judged.report())


def test_one_problem_in_full(grader: Grader, capsys: pytest.CaptureFixture[str]) -> None:
    played(One(), grader, tiny.ANSWER)
    out, err = capsys.readouterr()
    assert err == "" and "\x1b" not in out and "\r" not in out  # no terminal: no line that is taken back
    assert out.index("The values are right.") < out.index("✔ passed")
    assert "being started" not in out and "judging" not in out


def test_several_problems_a_line_each(grader: Grader, capsys: pytest.CaptureFixture[str]) -> None:
    many = Many()
    played(many, grader, tiny.ANSWER)
    played(many, grader, tiny.ANSWER.replace("2 * x", "x"))
    first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["✔", "7", "Double", "and", "shift", "8/8", "2/2"]
    assert second.split()[:6] == ["✘", "7", "Double", "and", "shift", "0/8"]
    assert second.rstrip().endswith("not doubled")


def test_the_live_line_leaves_no_trace() -> None:
    file = io.StringIO()
    live = LiveLine(Console(file=file, force_terminal=True, width=20, color_system=None))
    live.show(Text("x" * 50))
    live.show(Text("next"))
    live.clear()
    live.clear()
    assert file.getvalue() == "x" * 19 + ERASE_LINE + "next" + ERASE_LINE


def test_consoles_are_never_too_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    assert console().width == WIDTH
    monkeypatch.setenv("COLUMNS", "40")
    assert console().width == 40


def test_errors_are_sentences_without_markup(capsys: pytest.CaptureFixture[str]) -> None:
    say_error("[bold]no[/bold] \x1b]8;;http://evil\x07 :smile:")
    out, err = capsys.readouterr()
    assert (out, err) == ("", "kata: [bold]no[/bold] ␛]8;;http://evil␇ :smile:\n")


def shown(width: int = 100) -> tuple[Console, io.StringIO]:
    file = io.StringIO()
    return Console(file=file, width=width, markup=False, emoji=False, highlight=False), file


def test_rows_and_facts_say_by_a_mark_what_they_are() -> None:
    screen, file = shown()
    tables.row(screen, Row("mistake [red]x[/red]", "fails values", True))
    tables.row(screen, Row("stub", "reads as written", False, "why"))
    tables.facts(screen, [Fact("torch", "2.13"), Fact("track", "0 problems", False)])
    lines = [" ".join(line.split()) for line in file.getvalue().splitlines()]
    assert lines == [
        "✔ mistake [red]x[/red] fails values",
        "✘ stub reads as written why",
        "✔ torch 2.13",
        "✘ track 0 problems",
    ]


@pytest.mark.parametrize("width", [40, 100])
def test_tables_fit(width: int) -> None:
    screen, file = shown(width)
    tables.row(screen, Row("subject " * 5, "outcome " * 5, False, "detail " * 20))
    tables.facts(screen, [Fact("torch", "x" * 300)])
    assert max(map(len, file.getvalue().splitlines())) <= width


def test_styled_text_is_text() -> None:
    assert styled("[a]", ("[b]", "red")).plain == "[a][b]"
