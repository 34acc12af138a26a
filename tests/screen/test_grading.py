"""Findings as they come, several problems as lines, tables, and sentences on stderr."""

import io

import pytest
from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from kata import grading
from kata.doctor import Fact
from kata.model import Error, Grader, Job, Submission
from kata.screen import tables
from kata.screen.console import WIDTH, console, say_error, sentence, styled
from kata.screen.grading import Many, One
from kata.screen.live import ERASE_LINE, LiveLine, Running
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
    screen.close([task(grader)], [judged.report()])


def test_one_problem_in_full(grader: Grader, capsys: pytest.CaptureFixture[str]) -> None:
    played(One(), grader, tiny.ANSWER)
    out, err = capsys.readouterr()
    assert err == "" and "\x1b" not in out and "\r" not in out  # no terminal: no line that is taken back
    assert out.index("The values are right.") < out.index("✔ passed")
    assert "being started" not in out and "judging" not in out


def test_several_problems_a_line_each(grader: Grader, capsys: pytest.CaptureFixture[str]) -> None:
    many = Many([task(grader)])
    played(many, grader, tiny.ANSWER)
    played(many, grader, tiny.ANSWER.replace("2 * x", "x"))
    first, *_, second = (line for line in capsys.readouterr().out.splitlines() if "Double" in line)
    assert first.split() == ["✔", "7", "Double", "and", "shift", "8/8", "2/2"]
    assert second.split()[:6] == ["✘", "7", "Double", "and", "shift", "0/8"]
    assert second.rstrip().endswith("not doubled")


def test_several_problems_end_in_a_summary(grader: Grader, capsys: pytest.CaptureFixture[str]) -> None:
    right = Judged(grader, tiny.ANSWER).report()
    wrong = Judged(grader, tiny.ANSWER.replace("2 * x", "x")).report()
    stub = replace(wrong, error=Error("not_written", ""), score=0.0)
    tasks = [task(grader)] * 3
    Many(tasks).close(tasks, [right, wrong, stub])
    told = " ".join(capsys.readouterr().out.split())
    assert told.startswith("1 of 3 passed, 1 not written yet · 8/24 points kata grade 7 --track ")
    Many(tasks).close(tasks, [right, stub, stub])
    assert "2 not written yet · 8/24 points kata next --track" in " ".join(capsys.readouterr().out.split())
    Many(tasks).close(tasks, [right])  # interrupted
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_a_line_of_several_is_one_line(
    grader: Grader, columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    long = replace(grader.problem, title="Rotary embeddings, written out for even and odd channels " * 2)
    told = Judged(grader, tiny.ANSWER).report()
    told = replace(told, problem=replace(told.problem, title=long.title))
    Many([grading.Task(long, task(grader).job)]).done(told)
    [line] = capsys.readouterr().out.splitlines()
    assert "…" in line and len(line) <= int(columns) and "8/8" in line and "2/2" in line


def test_the_live_line_says_what_is_going_on(grader: Grader) -> None:
    """Which check runs, for how long, and how long a call may take; then what follows the checks."""
    file, now = io.StringIO(), [0.0]
    live = LiveLine(Console(file=file, force_terminal=True, width=200, color_system=None), lambda: now[0])

    def after(seconds: float) -> str:
        now[0] += seconds
        live.redraw()
        return file.getvalue().split(ERASE_LINE)[-1].strip()

    running = Running(live, grader.problem)
    running.starting()
    assert after(0.5) == "PyTorch is being started …" and after(2.0) == "PyTorch is being started … 2 s"
    running.judging()
    assert after(0.5) == "judging …"
    told = "check 1 of 6, keeps_the_shape: 7 s; stopped after 2 s of computing, or by Ctrl-C"
    assert after(6.5) == told
    running.found()
    assert after(0.1) == "judging …" and after(3.0).startswith("check 2 of 6, values: 3 s")
    for _ in range(5):
        running.found()
    assert after(2.0) == "looking for the mistake behind it … 2 s"
    live.clear()
    assert after(9.0) == ""


def test_the_live_line_leaves_no_trace() -> None:
    file = io.StringIO()
    live = LiveLine(Console(file=file, force_terminal=True, width=20, color_system=None))
    live.show(Text("x" * 50))
    live.show(Text("next"))
    live.clear()
    live.clear()
    assert file.getvalue() == "x" * 17 + ERASE_LINE + "next" + ERASE_LINE


def test_consoles_are_never_too_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    assert console().width == WIDTH
    monkeypatch.setenv("COLUMNS", "40")
    assert console().width == 40


def test_errors_are_sentences_without_markup(capsys: pytest.CaptureFixture[str]) -> None:
    say_error("[bold]no[/bold] \x1b]8;;http://evil\x07 :smile:")
    out, err = capsys.readouterr()
    assert (out, err) == ("", "kata: [bold]no[/bold] ␛]8;;http://evil␇ :smile:\n")


@pytest.mark.parametrize("width", [20, 30, 45, 60, 200])
def test_a_sentence_never_breaks_a_command(width: int) -> None:
    """Nor a word; nothing is lost, and where no terminal listens nothing is folded."""
    text = "No x.py here. Make one: `kata init mine --track T`, then `cd mine`. Or say: kata grade 7 FILE"
    commands = ("`kata init mine --track T`", "`cd mine`", "kata grade 7 FILE")
    told = sentence(text, Console(width=width, force_terminal=True)).plain
    assert " ".join(told.split()) == text
    assert all(command in told for command in commands)
    assert all(len(line) <= width for line in told.splitlines() if not any(c in line for c in commands))
    assert sentence(text, Console(width=width, force_terminal=False)).plain == text


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
