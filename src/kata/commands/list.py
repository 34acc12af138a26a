"""kata list"""

from pathlib import Path

import click

from kata.commands import options
from kata.screen.console import console
from kata.screen.standing import listing
from kata.standing import print_json, standings


@click.command("list")
@options.as_json
@options.track_anywhere
def command(as_json: bool, root: Path) -> None:
    """List the problems of the track, and where you stand with each."""
    found = standings(root)
    if as_json:
        print_json(found)
    else:
        listing(console(), root, found)
