"""kata list"""

from pathlib import Path

import click

from kata import track
from kata.commands import options
from kata.screen import tables
from kata.screen.console import console


@click.command("list")
@options.track
def command(root: Path) -> None:
    """List the problems of the track."""
    tables.track(console(), track.problems(root))
