"""kata init"""

from pathlib import Path

import click

from kata import folders, standing
from kata.commands import options
from kata.screen.console import console
from kata.screen.folders import made


@click.command("init")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@options.track
def command(folder: str, root: Path) -> None:
    """Make DIR a workspace: a folder of your own with every problem, and a record of what you did."""
    home, new = folders.init(Path(folder), root)
    made(console(), root, new, folder, standing.following(standing.standings(root, home)))
