"""kata next"""

from pathlib import Path

import click

from kata import standing
from kata.commands import options
from kata.screen.console import console
from kata.screen.standing import proposal


@click.command("next")
@options.as_json
@options.track_anywhere
def command(as_json: bool, root: Path) -> None:
    """Say which problem to take up now."""
    following = standing.following(standing.standings(root))
    if as_json:
        standing.print_json(following)
    else:
        proposal(console(), root, following)
