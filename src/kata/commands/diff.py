"""kata diff"""

from pathlib import Path

import click

from kata import answers, track, workspace
from kata.commands import options
from kata.screen import learning
from kata.screen.console import console


@click.command("diff")
@options.problem
@click.argument("file", required=False, type=click.Path(path_type=Path))
@options.give_up
@options.track_in_home
def command(problem: str, file: Path | None, give_up: bool, root: Path) -> None:
    """Show how your answer to PROBLEM (or FILE) differs from the worked one, once you have passed it."""
    found, home = track.find(root, problem), workspace.around(root)
    mine = file or (home.file(found) if home else workspace.locate(found, root))
    learning.difference(console(), answers.difference(home, found, mine, give_up))
