"""kata show"""

from pathlib import Path

import click

from kata import track, workspace
from kata.commands import options
from kata.screen.console import console
from kata.screen.statement import statement


@click.command("show")
@options.problem
@options.track_anywhere
def command(problem: str, root: Path) -> None:
    """Show the statement of PROBLEM (a number or a name)."""
    found, others = track.find(root, problem), {p.number: p for p in track.problems(root)}
    statement(console(), found, others, workspace.place(found, root))
