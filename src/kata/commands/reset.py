"""kata reset"""

from pathlib import Path

import click

from kata import folders, track, workspace
from kata.commands import options
from kata.screen.console import console
from kata.screen.folders import brought_back, put_back


@click.command("reset")
@options.problem
@click.option("--restore", is_flag=True, help="Bring the newest kept file back instead.")
@options.track_in_home
def command(problem: str, restore: bool, root: Path) -> None:
    """Begin PROBLEM anew from its stub; your file is kept beside it."""
    found, home = track.find(root, problem), workspace.needed(root)
    if restore:
        brought_back(console(), home.file(found), *folders.restore(home, found))
    else:
        put_back(console(), found, home.file(found), folders.reset(home, found))
