"""kata progress"""

from pathlib import Path

import click

from kata import standing
from kata.commands import options
from kata.screen.console import console
from kata.screen.standing import summary


@click.command("progress")
@options.as_json
@options.track_anywhere
def command(as_json: bool, root: Path) -> None:
    """Show how far you are, section by section."""
    found = standing.standings(root)
    if as_json:
        standing.print_json(standing.tally(found))
    else:
        summary(console(), root, found, standing.following(found))
