"""A line each: what a verification tried, and what this machine can do."""

from collections.abc import Iterable

from rich.console import Console

from kata.doctor import Fact
from kata.screen.console import styled
from kata.screen.report import MARKS
from kata.zygote.events import Row


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
