"""Tables: the track, several reports at once, a verification, and what this machine can do."""

from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from kata.doctor import Fact
from kata.model import Problem, Report
from kata.screen.console import styled
from kata.screen.report import MARKS
from kata.zygote.events import Row


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def track(console: Console, problems: Iterable[Problem]) -> None:
    """Every problem of a track."""
    table = _table("", "problem", "section", "level", "after")
    for problem in problems:
        after = ", ".join(map(str, problem.after))
        table.add_row(str(problem.number), problem.title, problem.section, "●" * problem.level, after)
    console.print(table)
    console.print(
        styled("Begin with a statement: ", ("kata show NUMBER", "cyan"), ", then ", ("kata grade NUMBER", "cyan"))
    )


def summary(console: Console, reports: Iterable[Report]) -> None:
    """Several reports, a line each."""
    table = _table("", "", "problem", "points", "craft", "")
    for report in reports:
        mark, style = MARKS["passed" if report.passed else "failed"]
        why = report.error.kind.replace("_", " ") if report.error else ", ".join(d.name for d in report.diagnoses)
        numbers = f"{report.score:g}/{report.max_score:g}", f"{report.craft}/{report.max_craft}"
        table.add_row(Text(mark, style), str(report.problem.number), report.problem.title, *numbers, Text(why))
    console.print(table)


def statement(console: Console, problem: Problem) -> None:
    """A problem's statement."""
    console.print(styled((f"{problem.number} · {problem.title}", "bold")))
    console.print(Markdown(problem.statement))
    console.print(
        styled(
            "\nWrite it in ",
            (problem.question.name, "bold"),
            ", then: ",
            (f"kata grade {problem.number}", "cyan"),
        )
    )


def row(console: Console, row: Row) -> None:
    """One thing that a verification tried."""
    mark, style = MARKS["passed" if row.ok else "failed"]
    detail = f"   {row.detail}" if row.detail else ""
    console.print(styled((f"  {mark} ", style), f"{row.subject:<40} ", row.outcome, (detail, "dim")), overflow="fold")


def facts(console: Console, facts: Iterable[Fact]) -> None:
    """What this machine can do."""
    for fact in facts:
        mark, style = MARKS["passed" if fact.good else "failed"]
        console.print(styled((f"  {mark} ", style), (f"{fact.name:<12} ", "bold"), fact.text))
