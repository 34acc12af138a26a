"""A problem's statement, with formulas as plain characters and its neighbours in the track."""

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from kata.model import Problem
from kata.screen.console import styled
from kata.screen.formulas import readable
from kata.screen.steps import Steps
from kata.typed import typed


def statement(console: Console, problem: Problem, others: dict[int, Problem], path: str) -> None:
    """The statement, what it builds on, what it leads to, and where to write the answer."""
    console.print(styled((f"{problem.number} · {problem.title}", "bold"), (f"   {problem.section}", "dim")))
    console.print(Markdown(readable(problem.statement)))
    console.print()
    before = [others[number] for number in problem.after if number in others]
    after = [other for other in others.values() if problem.number in other.after]
    links = Table.grid(padding=(0, 2))
    for words, linked in (("Builds on", before), ("Leads to", after)):
        for i, other in enumerate(linked):
            links.add_row(Text("" if i else words, "dim"), Text(f"{other.number:>2} {other.title}"))
    console.print(links)
    if path:
        console.print(styled("Write it in ", (path, "bold")), soft_wrap=True)
        console.print(
            Steps((typed(problem, f"grade {problem.number}"), "what is right, and what not"), indent=2), crop=False
        )
