"""kata show"""

from pathlib import Path

import click

from kata import track
from kata.commands import options
from kata.screen import tables
from kata.screen.console import console


@click.command("show")
@options.problem
@options.track
def command(problem: str, root: Path) -> None:
    """Show the statement of PROBLEM (a number or a name)."""
    tables.statement(console(), track.find(root, problem))
