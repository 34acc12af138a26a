"""A line each: what a verification tried, and what this machine can do."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kata.doctor import Fact
from kata.screen.console import sentence, styled
from kata.screen.report import MARKS
from kata.zygote.events import Row


def row(console: Console, row: Row) -> None:
    """One thing that a verification tried."""
    mark, style = MARKS["passed" if row.ok else "failed"]
    detail = f"   {row.detail}" if row.detail else ""
    console.print(styled((f"  {mark} ", style), f"{row.subject:<40} ", row.outcome, (detail, "dim")), overflow="fold")


def facts(console: Console, facts: Iterable[Fact]) -> None:
    """What this machine can do."""
    told, table = list(facts), Table.grid(padding=(0, 1))
    margin = 6 + max((len(fact.name) for fact in told), default=0)
    table.add_column(width=3, justify="right")
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for fact in told:
        mark, style = MARKS["passed" if fact.good else "failed"]
        table.add_row(Text(mark, style), fact.name, sentence(fact.text, console, margin))
    console.print(table)
